/** What must be known of an example spec before it is taken for a good one; its title is the model's, and says nothing of it. */
export const exampleNotes: Readonly<Record<string, string>> = {
  'claim-two-decimals': 'wrong on purpose: it shows how rules that cannot both hold are found',
  'invoice-plain': 'the invoice asked for as plain text, to show how damaged replies are read',
};
