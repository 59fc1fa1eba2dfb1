import { defineSpec } from '../../src/spec/index.js';
import { invoiceDefinition } from './definition.js';

/** The same invoices asked for as plain text, whose formatting the model can damage: what reading replies is for. */
export const invoicePlain = defineSpec({ id: 'invoice-plain', ...invoiceDefinition, mode: 'plain' });

export default invoicePlain;
