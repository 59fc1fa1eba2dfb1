// The process that opens PDFs, so that a hostile one can take nothing with it. Plain JavaScript, so that it starts
// without a loader. Its main thread only watches: the parsing happens in a thread that it can end at any moment.
//
// In:  { bytes: Uint8Array, limits: PdfLimits, page?: number }
// Out: { kind: 'text', pages, texts, last } | { kind: 'layout', layout, last } | { kind: 'fault', fault, last }
// With a page, only that page is looked at, for where its text stands.
// `last` says that this process ends now and its parent must start another one.
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { pageText, placedText } from './page-text.mjs';

/** How often the limits are looked at. Decompression yields some 100 MB/s, so little is missed in between. */
const watchEveryMs = 20;

if (isMainThread) watch();
else
  parentPort.on('message', async ({ bytes, limits, page }) =>
    parentPort.postMessage(await readPdf(bytes, limits, page)),
  );

function watch() {
  // The terminal sends these to the whole group; the parent decides when this process ends.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
  // The channel closes with the parent, however it died.
  process.on('disconnect', () => process.exit(0));

  let parser = null;
  process.on('message', ({ bytes, limits, page }) => {
    parser ??= new Worker(new URL(import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMb },
    });
    const cpuBefore = process.cpuUsage();
    const startedAt = performance.now();

    const leave = (read) => {
      clearInterval(watching);
      parser.removeAllListeners();
      process.send({ ...read, last: true }, () => process.exit(0));
    };
    const leaveWith = (fault) => leave({ kind: 'fault', fault });

    const watching = setInterval(() => {
      const { user, system } = process.cpuUsage(cpuBefore);
      if (process.memoryUsage.rss() > limits.memoryBytes) leaveWith('too_large');
      else if ((user + system) / 1000 > limits.cpuMs) leaveWith('too_large');
      // Time that passes without work: the parser waits for something that never comes.
      else if (performance.now() - startedAt > limits.wallMs) leaveWith('corrupt');
    }, watchEveryMs);

    parser.removeAllListeners();
    parser.on('error', (error) =>
      leaveWith(error?.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'too_large' : 'corrupt'),
    );
    parser.on('message', (read) => {
      // What a large document leaves behind must not count against the next one.
      if (process.memoryUsage.rss() > limits.memoryBytes / 2) return leave(read);
      clearInterval(watching);
      process.send({ ...read, last: false });
    });
    // A copy of its own: what arrived is a view into the channel's buffer, which is not ours to give away.
    const own = new Uint8Array(bytes);
    parser.postMessage({ bytes: own, limits, page }, [own.buffer]);
  });
}

async function readPdf(bytes, limits, only) {
  const { getDocumentProxy } = await import('unpdf');
  let pdf = null;
  try {
    pdf = await getDocumentProxy(bytes, { verbosity: 0 });
    if (pdf.numPages === 0) return { kind: 'fault', fault: 'empty' };
    if (pdf.numPages > limits.pages) return { kind: 'fault', fault: 'too_large' };
    // A PDF that opens without a password can still be encrypted, and the model API refuses those.
    const { info } = await pdf.getMetadata();
    if (info.EncryptFilterName) return { kind: 'fault', fault: 'encrypted' };
    if (only !== undefined) return await layoutOf(pdf, only);
    const texts = [];
    let characters = 0;
    for (let number = 1; number <= pdf.numPages; number += 1) {
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      const text = pageText(items, page.getViewport({ scale: 1 }).transform);
      page.cleanup();
      characters += text.length;
      if (characters > limits.characters) return { kind: 'fault', fault: 'too_large' };
      texts.push(text);
    }
    return { kind: 'text', pages: pdf.numPages, texts };
  } catch (error) {
    return { kind: 'fault', fault: error?.name === 'PasswordException' ? 'encrypted' : 'corrupt' };
  } finally {
    await pdf?.loadingTask.destroy().catch(() => {});
  }
}

/** A page's size and where its text stands, as it is shown: turned the way the PDF says. */
async function layoutOf(pdf, number) {
  if (number > pdf.numPages) return { kind: 'fault', fault: 'empty' };
  const page = await pdf.getPage(number);
  const { width, height, transform } = page.getViewport({ scale: 1 });
  const { items } = await page.getTextContent();
  return { kind: 'layout', layout: { width, height, pieces: placedText(items, transform).pieces } };
}
