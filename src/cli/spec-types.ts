import { createRequire } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type TypeScript from 'typescript';
import { oneLine } from './table.js';

type Compiler = typeof TypeScript;

const sources = slashed(fileURLToPath(new URL('../', import.meta.url)));

/**
 * What the compiler says about a TypeScript spec file and the files that it imports, under the settings of the
 * `tsconfig.json` above it: one line each, with its place. Loading a spec does not ask, types are stripped as it is read.
 *
 * The compiler is the one installed where the file lies, else Endstop's own. Null when there is none.
 */
export function typeErrors(path: string): readonly string[] | null {
  const file = slashed(resolve(path));
  if (!/\.[cm]?ts$/.test(file)) return [];
  const ts = compilerFor(file);
  if (ts === null) return null;
  const program = ts.createProgram([file], optionsFor(ts, file));
  return program
    .getSourceFiles()
    .filter((source) => isAuthors(program, source))
    .flatMap((source) => [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ])
    .map((diagnostic) => errorLine(ts, diagnostic));
}

/** One with an API: that of TypeScript 7 is another one. */
function compilerFor(file: string): Compiler | null {
  for (const from of [file, import.meta.url]) {
    try {
      const found: Partial<Compiler> = createRequire(from)('typescript');
      if (found.createProgram !== undefined) return found as Compiler;
    } catch {
      // Not installed there.
    }
  }
  return null;
}

function optionsFor(ts: Compiler, file: string): TypeScript.CompilerOptions {
  const config = ts.findConfigFile(dirname(file), ts.sys.fileExists);
  const project =
    config === undefined
      ? {}
      : ts.parseJsonConfigFileContent(
          ts.readConfigFile(config, ts.sys.readFile).config ?? {},
          ts.sys,
          dirname(config),
        ).options;
  return {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    strict: true,
    ...project,
    ...{ noEmit: true, composite: false, incremental: false, skipLibCheck: true },
    // As it is run: imports may end in .ts, and whichever copy is installed there, the name means this program.
    allowImportingTsExtensions: true,
    paths: { ...project.paths, endstop: [`${sources}spec/index.ts`] },
  };
}

function isAuthors(program: TypeScript.Program, source: TypeScript.SourceFile): boolean {
  return (
    !source.isDeclarationFile &&
    !program.isSourceFileFromExternalLibrary(source) &&
    !source.fileName.startsWith(sources)
  );
}

function errorLine(ts: Compiler, { file, start, messageText, code }: TypeScript.Diagnostic): string {
  const message = oneLine(ts.flattenDiagnosticMessageText(whereTheyDiffer(messageText), ' ')).replace(
    / +/g,
    ' ',
  );
  if (file === undefined || start === undefined) return `${message} (TS${code})`;
  const { line, character } = file.getLineAndCharacterOfPosition(start);
  return `${pathFromHere(file.fileName)}:${line + 1}:${character + 1}: ${message} (TS${code})`;
}

/** The outer links of a chain spell out whole types; the last two say in which part they differ, and how. */
function whereTheyDiffer(said: TypeScript.Diagnostic['messageText']): TypeScript.Diagnostic['messageText'] {
  if (typeof said === 'string') return said;
  const inner = said.next?.[0];
  return inner?.next?.[0] === undefined ? said : whereTheyDiffer(inner);
}

/** As it is named from the working directory when it lies in there. */
export function pathFromHere(path: string): string {
  const within = relative(process.cwd(), path);
  return within.startsWith('..') ? path : within;
}

function slashed(path: string): string {
  return path.replaceAll('\\', '/');
}
