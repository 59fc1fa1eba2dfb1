/**
 * The walls of the house (ARCHITECTURE.md draws them). Every rule carries its reason; test/architecture.test.ts plants
 * one forbidden import per rule and expects it refused.
 */

const rule = (name, comment, from, to) => ({ name, severity: 'error', comment, from, to });

const pure = '^src/(domain|reply|verification|planner|simulator|plots|reports)/';

/** Packages the whole house may use, and the one folder each belongs to. */
const vendors = [
  ['@anthropic-ai/sdk', '^src/adapters/anthropic/'],
  ['pg', '^src/(adapters/postgres|embedded)/'],
  ['kysely', '^src/adapters/postgres/'],
  ['standardwebhooks', '^src/adapters/webhooks/'],
  ['unpdf', '^src/(adapters/pdf|standin)/'],
  ['prom-client', '^src/adapters/prometheus/'],
  ['@opentelemetry/api', '^src/adapters/opentelemetry/'],
  ['hono', '^src/(http|console)/'],
  ['commander', '^src/(cli|main)/'],
  ['cockatiel', '^src/adapters/cockatiel/'],
];

export default {
  forbidden: [
    rule('no-cycles', 'A cycle has no first file to read.', {}, { circular: true }),
    rule(
      'no-unresolved',
      'An import that resolves to nothing escapes every other rule.',
      {},
      { couldNotResolve: true },
    ),
    rule(
      'pure-has-no-node',
      'Decisions, reading and verification must give the same answer everywhere, also inside a replayed workflow.',
      { path: pure },
      { dependencyTypes: ['core'] },
    ),
    rule(
      'pure-has-no-packages',
      'Pure code depends on nothing that can change under it; exact decimals (big.js, in verification) are the exception.',
      { path: pure },
      { dependencyTypes: ['npm', 'npm-dev', 'npm-optional'], pathNot: 'node_modules/(@types/)?big\\.js/' },
    ),
    rule(
      'big-js-in-verification-only',
      'The domain counts money with its own exact addition; only verification calculates.',
      { path: '^src/(domain|reply|planner|simulator)/' },
      { path: 'node_modules/(@types/)?big\\.js/' },
    ),
    rule(
      'domain-is-innermost',
      'The core knows nobody.',
      { path: '^src/domain/' },
      { pathNot: '^src/domain/' },
    ),
    rule(
      'pure-looks-inward',
      'Reply, verification, planner, simulator, plots and reports build on the domain and on each other, on nothing outside.',
      { path: pure },
      { path: '^(src|workflows|activities|specs)/', pathNot: pure },
    ),
    rule(
      'spec-looks-inward',
      'The authoring API must be usable without a store, an engine or a server.',
      { path: '^src/spec/' },
      { path: '^(src|workflows|activities|specs)/', pathNot: '^src/(domain|reply|verification|spec)/' },
    ),
    rule(
      'ports-are-interfaces',
      'A port that imports an adapter is no port.',
      { path: '^src/ports/' },
      {
        path: '^(src|workflows|activities|specs)/',
        pathNot: '^src/(domain|reply|verification|reports|spec|ports)/',
      },
    ),
    rule(
      'adapters-stand-apart',
      'One vendor each: an adapter that needs another one hides a second reason to change.',
      { path: '^src/adapters/([^/]+)/' },
      { path: '^src/adapters/', pathNot: '^src/adapters/$1/' },
    ),
    rule(
      'adapters-look-inward',
      'Adapters implement ports; only Temporal also knows the workflows it starts and the activities it hosts.',
      { path: '^src/adapters/' },
      {
        path: '^(src|workflows|activities|specs)/',
        pathNot:
          '^src/(domain|reply|verification|reports|spec|ports|adapters)/|^workflows/|^activities/contract\\.ts$',
      },
    ),
    rule(
      'only-temporal-knows-workflows',
      'Another adapter that imports workflow code would run it outside its sandbox.',
      { path: '^src/adapters/', pathNot: '^src/adapters/temporal/' },
      { path: '^(workflows|activities)/' },
    ),
    rule(
      'workflows-replay',
      'Workflow code is replayed: it may use the pure rooms and see activities as types only.',
      { path: '^workflows/' },
      { path: '^(src|activities|specs)/', pathNot: '^src/domain/|^activities/contract\\.ts$' },
    ),
    rule(
      'workflows-have-no-node',
      'The workflow sandbox has no Node, and a clock or a file would break replay.',
      { path: '^workflows/' },
      { dependencyTypes: ['core'] },
    ),
    rule(
      'workflows-have-no-zod',
      'zod costs every cached workflow half a megabyte and seven milliseconds; schemas are checked in activities.',
      { path: '^workflows/' },
      { path: 'node_modules/zod/', reachable: true },
    ),
    rule(
      'contract-is-types',
      'What workflows see of activities must vanish at build time.',
      { path: '^activities/contract\\.ts$' },
      { dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'activities-use-ports',
      'Activities are a factory over ports; main decides which adapter stands behind each.',
      { path: '^activities/' },
      { path: '^(src|workflows|specs)/', pathNot: '^src/(domain|reply|verification|spec|ports)/' },
    ),
    rule(
      'application-uses-ports',
      'Use cases serve HTTP, command line and console alike, over whatever adapters main chose.',
      { path: '^src/application/' },
      {
        path: '^(src|workflows|activities|specs)/',
        pathNot:
          '^src/(domain|reply|verification|planner|simulator|plots|reports|spec|ports|application)/|^src/config\\.ts$',
      },
    ),
    rule(
      'http-over-application',
      'Pages and endpoints go through the use cases, never around them.',
      { path: '^src/(http|console)/' },
      { path: '^(src/(adapters|embedded|cli|main|standin|client)|workflows|activities|specs)/' },
    ),
    rule(
      'http-knows-no-pages',
      'The API serves programs; main puts the pages beside it, so that it works without them.',
      { path: '^src/http/' },
      { path: '^src/console/' },
    ),
    rule(
      'pages-are-mounted-by-main',
      'A page that others could import would become a library of markup.',
      { path: '^(src/(?!console/|main/)|workflows/|activities/|specs/)' },
      { path: '^src/console/' },
    ),
    rule(
      'assets-are-served-not-imported',
      'Scripts of the browser run where there is a window; the server only hands them out.',
      { path: '^(src|workflows|activities|specs)/', pathNot: '^src/console/assets/' },
      { path: '^src/console/assets/' },
    ),
    rule(
      'assets-stand-alone',
      'What a browser loads has no server code behind it.',
      { path: '^src/console/assets/' },
      { pathNot: '^src/console/assets/' },
    ),
    rule(
      'cli-over-application',
      'Commands go through the use cases; main gives them their context.',
      { path: '^src/cli/' },
      { path: '^(src/(adapters|http|console|main|standin|client)|workflows|activities|specs)/' },
    ),
    rule(
      'embedded-knows-no-vendor-code',
      'Bringing processes up is separate from what they do; steps that need an adapter are passed in.',
      { path: '^src/embedded/' },
      {
        path: '^(src/(adapters|http|console|main|standin|client|application|cli)|workflows|activities|specs)/',
      },
    ),
    rule(
      'standin-stands-alone',
      'A stand-in that knew specs or samples would answer from them instead of from the document.',
      { path: '^src/standin/' },
      { path: '^(src|workflows|activities|specs|samples)/', pathNot: '^src/standin/' },
    ),
    rule(
      'client-stands-alone',
      'The client ships to other people, alone: a type of ours would bring all of our types along.',
      { path: '^src/client/' },
      { path: '^(src|workflows|activities|specs)/', pathNot: '^src/client/' },
    ),
    rule(
      'specs-use-the-authoring-api',
      'The examples must be writable by a user, so they use what a user has.',
      { path: '^specs/' },
      { path: '^(src|workflows|activities)/', pathNot: '^src/spec/index\\.ts$' },
    ),
    rule(
      'zod-in-few-places',
      'Schemas live where outside data comes in: specs, HTTP, configuration.',
      {
        path: '^(src|workflows|activities)/',
        pathNot: '^src/(spec|http|console)/|^src/config-variables\\.ts$',
      },
      { path: 'node_modules/zod/', dependencyTypesNot: ['type-only'] },
    ),
    ...vendors.map(([name, home]) =>
      rule(
        `${name.replace(/[@/]/g, '')}-has-one-home`,
        `${name} is one vendor's way of doing things; everybody else goes through a port.`,
        { path: '^(src|workflows|activities|specs)/', pathNot: home },
        { path: `node_modules/(@types/)?${name}/` },
      ),
    ),
    rule(
      'no-dev-packages-in-product',
      'What is not installed in production cannot be imported there.',
      { path: '^(src|workflows|activities|specs)/' },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'no-tests-in-product',
      'Product code that needs a test file is not finished.',
      { path: '^(src|workflows|activities|specs|samples)/' },
      { path: '^(test|bench)/' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.node.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
