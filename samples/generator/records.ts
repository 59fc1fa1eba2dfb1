/** Records as the specs answer them: texts only, money as plain decimals. */
export type JsonRecord = { readonly [name: string]: string | readonly JsonRecord[] };

export type AsPrinted = string | 'not_printed' | 'blank';

export type ClaimRecord = JsonRecord & {
  readonly claim_number: string;
  readonly policy_number: string;
  readonly claimant: string;
  readonly loss_date: string;
  readonly currency: string;
  readonly line_items: readonly (JsonRecord & { readonly description: string; readonly amount: string })[];
  readonly total_claimed: string;
  readonly deductible: AsPrinted;
};

export type InvoiceRecord = JsonRecord & {
  readonly document_type: 'invoice' | 'credit_note';
  readonly invoice_number: string;
  readonly issue_date: string;
  readonly due_date: AsPrinted;
  readonly seller: string;
  readonly buyer: string;
  readonly currency: string;
  readonly line_items: readonly (JsonRecord & {
    readonly description: string;
    readonly quantity: string;
    readonly unit_price: string;
    readonly amount: string;
  })[];
  readonly printed_line_count: AsPrinted;
  readonly net_total: string;
  readonly tax_rate: string;
  readonly tax_amount: string;
  readonly total: string;
};
