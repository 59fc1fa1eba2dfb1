import { parser } from '@prometheus-io/lezer-promql';

type Node = ReturnType<typeof parser.parse>['topNode'];

/** The labels of a metric, each with the words it takes; null where any word may come. */
export type Labels = Readonly<Record<string, readonly string[] | null>>;
/** By the names that a query may use. */
export type KnownSeries = ReadonlyMap<string, Labels>;

/** What whoever scrapes adds to every series. */
const scraped = ['instance', 'job'];
/** What has labels, wherever it stands. */
const vectors = new Set(
  'VectorSelector AggregateExpr FunctionCall BinaryExpr ParenExpr MatrixSelector SubqueryExpr OffsetExpr UnaryExpr'.split(
    ' ',
  ),
);

/**
 * Reads a query as Prometheus does. `labels`: those of its result. `faults`: what it asks for that cannot be there: a
 * metric, a label, a word of a label, two sides that no label lets meet.
 */
export function readQuery(query: string, known: KnownSeries) {
  const faults: string[] = [];
  const names: string[] = [];
  const tree = parser.parse(query);
  tree.iterate({ enter: ({ type }) => void (type.isError && faults.push(`does not parse: ${query}`)) });
  const textOf = (node: Node) => query.slice(node.from, node.to);
  const allOf = (node: Node, name: string) => {
    const found: Node[] = [];
    node.cursor().iterate((at) => void (at.name === name && found.push(at.node)));
    return found;
  };
  const grouped = (node: Node) => allOf(node, 'LabelName').map(textOf);
  const demand = (asked: readonly string[], there: readonly string[], where: string) => {
    for (const label of asked) {
      if (![...there, ...scraped].includes(label)) faults.push(`${where} knows no ${label}`);
    }
  };

  const selected = (node: Node): readonly string[] => {
    const [identifier] = node.getChildren('Identifier');
    const name = identifier === undefined ? '' : textOf(identifier);
    names.push(name);
    const labels = known.get(name);
    if (labels === undefined) faults.push(`there is no ${name}`);
    for (const matcher of allOf(node, 'UnquotedLabelMatcher')) {
      const [label = '', op = '', word = ''] = ['LabelName', 'MatchOp', 'StringLiteral'].map((part) =>
        matcher.getChildren(part).map(textOf).join(''),
      );
      demand([label], Object.keys(labels ?? {}), name);
      const words = labels?.[label] ?? null;
      if (words === null) continue;
      for (const one of op.includes('~') ? word.slice(1, -1).split('|') : [word.slice(1, -1)]) {
        const comes = op.includes('~')
          ? words.some((each) => new RegExp(`^(?:${one})$`).test(each))
          : words.includes(one);
        if (!comes) faults.push(`${name}{${label}} is never ${one}`);
      }
    }
    return Object.keys(labels ?? {});
  };

  const met = (node: Node, left: readonly string[], right: readonly string[]) => {
    const [clause] = node.getChildren('MatchingModifierClause');
    const [first, second] = clause?.getChildren('GroupingLabels').map(grouped) ?? [];
    const isOn = clause?.getChild('On') != null;
    if (clause != null) {
      demand(first ?? [], isOn ? left : [...left, ...right], textOf(node));
      if (isOn) demand(first ?? [], right, textOf(node));
      demand(second ?? [], clause.getChild('GroupRight') === null ? right : left, textOf(node));
    }
    const kept = (side: readonly string[]) =>
      side
        .filter((label) => isOn === (first ?? []).includes(label))
        .sort()
        .join();
    const isOr = node.getChild('Or') !== null;
    if (!isOr && kept(left) !== kept(right)) faults.push(`the sides never meet: ${textOf(node)}`);
    return isOr ? left.filter((label) => right.includes(label)) : left;
  };

  /** Null: a number or a text. */
  const labelsOf = (node: Node): readonly string[] | null => {
    if (node.name === 'VectorSelector') return selected(node);
    const [body] = node.getChildren('FunctionCallBody');
    const parts: Node[] = [];
    for (let part = (body ?? node).firstChild; part !== null; part = part.nextSibling) {
      if (vectors.has(part.name)) parts.push(part);
    }
    const inner = parts.map(labelsOf).filter((labels) => labels !== null);
    const [left, right] = inner;
    if (left === undefined) return null;
    if (node.name === 'BinaryExpr') return right === undefined ? left : met(node, left, right);
    if (node.name === 'AggregateExpr') {
      const [modifier] = node.getChildren('AggregateModifier');
      const asked = modifier === undefined ? [] : grouped(modifier);
      demand(asked, left, textOf(node));
      return modifier?.getChild('Without') != null ? left.filter((label) => !asked.includes(label)) : asked;
    }
    const name = node.getChildren('FunctionIdentifier').map(textOf).join('');
    if (name === 'absent')
      return allOf(node, 'UnquotedLabelMatcher')
        .filter((matcher) => allOf(matcher, 'EqlSingle').length > 0)
        .flatMap(grouped);
    if (name !== 'histogram_quantile') return left;
    demand(['le'], left, textOf(node));
    return left.filter((label) => label !== 'le');
  };

  const labels = tree.topNode.firstChild === null ? null : labelsOf(tree.topNode.firstChild);
  return { names, faults, labels: labels ?? [] };
}

/** Grafana's own words put into PromQL's: an interval, a variable, and the query of a variable. */
export function readGrafanaQuery(query: string, known: KnownSeries) {
  const [, name, label] = /^label_values\((.+), *(\w+)\)$/.exec(query) ?? [];
  return name === undefined
    ? readQuery(query.replaceAll('$__rate_interval', '5m'), known)
    : readQuery(`sum by (${label}) (${name})`, known);
}
