import { defineSpec } from '../../src/spec/index.js';
import { invoiceDefinition } from './definition.js';

/** Invoices and credit notes, asked for in the mode that suits the model. */
export const invoice = defineSpec({ id: 'invoice', ...invoiceDefinition });

export default invoice;
