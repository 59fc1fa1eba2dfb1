import type { CompletionNode, CompletionOption, Values } from './tree.js';

/** Printed in front of each script: how it comes into the shell, and that it is made, not written. */
export const heading = (says: string) => `# Made by endstop; not to be edited. ${says}\n`;

/** A text that the shell takes as it is. The same in bash and zsh. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Quoted patterns of one `case` branch. */
export function pattern(texts: readonly string[]): string {
  return texts.map(quote).join('|');
}

/** Which command a word leads to, behind which other one: `endstop batch` of `batch` behind `endstop`. */
export function steps(nodes: readonly CompletionNode[]): readonly string[] {
  return nodes.filter(({ path }) => path.includes(' ')).map(({ path }) => path);
}

/** Every option that takes a value, as `PATH FLAG`. */
export function takers(nodes: readonly CompletionNode[]): readonly string[] {
  return valued(nodes).flatMap(({ at }) => at);
}

/** What stands behind which `PATH FLAG`. */
export function valued(
  nodes: readonly CompletionNode[],
): readonly { readonly at: readonly string[]; readonly value: Values }[] {
  return nodes.flatMap(({ path, options }) =>
    options.flatMap(({ flags, value }: CompletionOption) =>
      value === null ? [] : [{ at: flags.map((flag) => `${path} ${flag}`), value }],
    ),
  );
}

/** What may stand where, as a pattern of `PATH POSITION`; the last of a variadic command's from there on. */
export function positions(
  nodes: readonly CompletionNode[],
): readonly { readonly at: string; readonly value: Values }[] {
  return nodes.flatMap(({ path, arguments: values, isVariadic }) =>
    values
      .map((value, index) => ({
        at: isVariadic && index === values.length - 1 ? `${quote(`${path} `)}*` : quote(`${path} ${index}`),
        value,
      }))
      // Before a variadic one even nothing has to be said, or its pattern would take that place.
      .filter(({ value }) => isVariadic || value.kind !== 'any'),
  );
}
