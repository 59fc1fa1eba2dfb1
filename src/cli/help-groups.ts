/** What the commands are for, as the program's help groups them, in its order. */
export const helpGroups: Readonly<Record<string, readonly string[]>> = {
  'Extract:': ['extract', 'batch', 'show', 'attempts', 'list', 'cancel'],
  'What did not verify:': ['review', 'dead-letters', 'redrive', 'repairs'],
  'Records and documents:': ['records', 'erase', 'retention'],
  'Specs and how well they do:': ['spec', 'report', 'audit', 'plan', 'simulate'],
  'Who may, who did, who is told:': ['keys', 'tenants', 'trail', 'webhooks'],
  'Run it:': [
    'up',
    'demo',
    'worker',
    'api',
    'deployment',
    'doctor',
    'views',
    'db',
    'openapi',
    'standin',
    'completion',
  ],
};

const headings = new Map(
  Object.entries(helpGroups).flatMap(([heading, names]) => names.map((name) => [name, heading] as const)),
);

/** The group's heading. Throws for a command that no group has. */
export function helpGroupOf(name: string): string {
  const heading = headings.get(name);
  if (heading === undefined)
    throw new Error(`The command "${name}" is in none of the groups of src/cli/help-groups.ts.`);
  return heading;
}

/** Names in the order of their groups. */
export function inHelpOrder(names: readonly string[]): readonly string[] {
  const order = [...headings.keys()];
  return names.toSorted((one, other) => order.indexOf(one) - order.indexOf(other));
}
