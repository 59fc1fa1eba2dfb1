// Pages of a PDF as pixels.

let opened = null;

/** Opened once, when the first page comes into sight. Nothing in a PDF is run: no script, no form, no compiled function. */
function openPdf(src) {
  opened ??= (async () => {
    const library = new URL('./pdf.mjs', import.meta.url).href;
    const [pdfjs, answer] = await Promise.all([import(library), fetch(`${src}/document`)]);
    if (!answer.ok) throw new Error(String(answer.status));
    const data = new Uint8Array(await answer.arrayBuffer());
    return pdfjs.getDocument({ data, isEvalSupported: false, enableXfa: false, verbosity: 0 }).promise;
  })();
  opened.catch(() => {
    opened = null;
  });
  return opened;
}

let queue = Promise.resolve();

/** One after the other, so that the page in sight is not slowed down by those around it. */
export function drawPdfPage(src, number, width) {
  const next = queue.then(async () => {
    const pdf = await openPdf(src);
    const page = await pdf.getPage(number);
    const { width: points } = page.getViewport({ scale: 1 });
    const pixels = Math.min(3_000, width * (window.devicePixelRatio || 1));
    const viewport = page.getViewport({ scale: pixels / points });
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(viewport.width);
    canvas.height = Math.round(viewport.height);
    await page.render({ canvas, canvasContext: canvas.getContext('2d'), viewport }).promise;
    page.cleanup();
    return canvas;
  });
  queue = next.catch(() => undefined);
  return next;
}
