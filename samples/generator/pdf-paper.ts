import PDFDocument from 'pdfkit';
import type { Block, Paper } from './paper.js';

const MARGIN = 50;
/** Fixed, so that the same paper is the same bytes whenever it is set. */
const CREATED = new Date('2024-12-01T00:00:00Z');

export interface PdfOptions {
  /** Encrypts the file; only the oldest scheme draws no random numbers. */
  readonly password?: string;
}

/** Sets a paper as an uncompressed PDF with a text layer in a standard font. */
export function pdfOf(paper: Paper, options: PdfOptions = {}): Promise<Buffer> {
  const document = newPdf(paper.landscape ?? false, options);
  const press = new Press(document, paper.size ?? 10);
  for (const block of paper.blocks) press.set(block);
  return bytesOf(document);
}

export function newPdf(landscape = false, options: PdfOptions = {}): PDFKit.PDFDocument {
  return new PDFDocument({
    size: 'A4',
    layout: landscape ? 'landscape' : 'portrait',
    margin: MARGIN,
    compress: false,
    info: { CreationDate: CREATED, ModDate: CREATED, Producer: 'sample', Creator: 'sample' },
    ...(options.password
      ? { pdfVersion: '1.3', userPassword: options.password, ownerPassword: options.password }
      : {}),
  });
}

export function bytesOf(document: PDFKit.PDFDocument): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    document.on('data', (chunk: Buffer) => chunks.push(chunk));
    document.on('end', () => resolve(Buffer.concat(chunks)));
    document.on('error', reject);
    document.end();
  });
}

/** Puts blocks onto pages from top to bottom. */
class Press {
  private readonly document: PDFKit.PDFDocument;
  private readonly size: number;
  private y = MARGIN;

  constructor(document: PDFKit.PDFDocument, size: number) {
    this.document = document;
    this.size = size;
    document.font('Helvetica').fontSize(size);
  }

  set(block: Block): void {
    switch (block.kind) {
      case 'heading':
        this.document.font('Helvetica-Bold').fontSize(this.size * 1.5);
        this.put(block.text, MARGIN);
        this.document.font('Helvetica').fontSize(this.size);
        this.down(2.4);
        return;
      case 'text':
        this.put(block.text, MARGIN);
        this.down(1.5);
        return;
      case 'gap':
        this.down(1.5);
        return;
      case 'pairs':
        for (const [first, second] of block.rows) {
          this.room(1);
          if (first) this.put(`${first[0]}: ${first[1]}`, MARGIN);
          if (second) this.put(`${second[0]}: ${second[1]}`, MARGIN + this.width * 0.52);
          this.down(1.5);
        }
        return;
      case 'grid':
        for (const index of [0, 1] as const) {
          const step = this.width / block.pairs.length;
          for (const [column, pair] of block.pairs.entries()) this.put(pair[index], MARGIN + column * step);
          this.down(1.5);
        }
        return;
      case 'table':
        this.table(block);
        return;
      case 'totals':
        for (const [label, value] of block.pairs) {
          this.room(1);
          this.put(label, MARGIN + this.width * 0.5);
          this.putRight(value, MARGIN + this.width);
          this.down(1.5);
        }
        return;
    }
  }

  private table(table: Extract<Block, { kind: 'table' }>): void {
    const lefts = table.columns.map((_, index) =>
      table.columns.slice(0, index).reduce((left, column) => left + column.share * this.width, MARGIN),
    );
    const row = (cells: readonly string[]): void => {
      for (const [index, cell] of cells.entries()) {
        const column = table.columns[index];
        const left = lefts[index] ?? MARGIN;
        if (column?.right) this.putRight(cell, left + column.share * this.width);
        else this.put(cell, left);
      }
      this.down(1.5);
    };
    const header = (): void => {
      this.document.font('Helvetica-Bold');
      row(table.columns.map((column) => column.title));
      this.document.font('Helvetica');
    };
    const carried = (label: string): void => {
      this.put(label, MARGIN);
      this.putRight(table.carry?.sum ?? '', MARGIN + this.width);
      this.down(1.5);
    };
    header();
    for (const [index, cells] of table.rows.entries()) {
      if (index === table.carry?.rowsOnFirstPage) {
        carried('Carried forward');
        this.turn();
        header();
        carried('Brought forward');
      } else if (!this.fits(1)) {
        this.turn();
        header();
      }
      row(cells);
    }
    this.down(0.8);
  }

  private get width(): number {
    return this.document.page.width - 2 * MARGIN;
  }

  private put(text: string, x: number): void {
    if (text !== '') this.document.text(text, x, this.y, { lineBreak: false });
  }

  private putRight(text: string, right: number): void {
    this.put(text, right - this.document.widthOfString(text));
  }

  private down(lines: number): void {
    this.y += lines * this.size;
  }

  private fits(lines: number): boolean {
    return this.y + lines * this.size * 1.5 < this.document.page.height - MARGIN;
  }

  private room(lines: number): void {
    if (!this.fits(lines)) this.turn();
  }

  private turn(): void {
    this.document.addPage();
    this.y = MARGIN;
  }
}
