// The ladder: import only downwards, neighbours not at all, privates by file name stay in their domain, no cycles.
const rungs = {
  platform: [],
  sandbox: ['platform'],
  identity: ['platform'],
  contacts: ['platform', 'identity'],
  inboxes: ['platform', 'identity'],
  conversations: ['platform', 'identity', 'contacts', 'inboxes'],
  segments: ['platform', 'identity', 'contacts', 'inboxes', 'conversations'],
  collaboration: ['platform', 'identity', 'contacts', 'inboxes', 'conversations', 'segments'],
  campaigns: ['platform', 'identity', 'contacts', 'inboxes', 'conversations', 'segments'],
  workflows: ['platform', 'identity', 'contacts', 'inboxes', 'conversations', 'segments'],
  webhooks: ['platform', 'identity'],
  realtime: ['platform', 'identity'],
  webchat: ['platform', 'identity', 'contacts', 'inboxes', 'conversations', 'realtime'],
  console: ['platform', 'identity'],
}

const ladder = Object.entries(rungs).map(([domain, below]) => ({
  name: `${domain}-looks-down`,
  comment: `${domain} may import ${below.join(', ') || 'nothing of ours'} only: down is a call, up is an event`,
  severity: 'error',
  from: { path: `^src/${domain}/`, pathNot: '\\.(test|fixture)\\.ts$|/testing/' },
  to: { path: '^src/', pathNot: `^src/(${[domain, ...below].join('|')})/` },
}))

module.exports = {
  forbidden: [
    ...ladder,
    {
      name: 'private-files-stay-home',
      comment: 'routes, store, jobs, subscriptions and access are private to their domain',
      severity: 'error',
      from: { path: '^src/([^/]+)/', pathNot: '\\.(test|fixture)\\.ts$|/testing/' },
      to: {
        path: '^src/[^/]+/(?:routes|store|jobs|subscriptions|access)(?:/|\\.ts$)',
        pathNot: '^src/($1|platform)/',
      },
    },
    {
      name: 'notes-are-not-sent',
      comment: 'code that sends or receives messages cannot read internal notes',
      severity: 'error',
      from: {
        path: '^src/(inboxes/|campaigns/|workflows/|conversations/(outbound|inbound)/)',
        pathNot: '\\.(test|fixture)\\.ts$|/testing/',
      },
      to: { path: '^src/(conversations|contacts)/(notes/|store/notes\\.ts$|routes/notes\\.ts$)' },
    },
    {
      name: 'app-lists-domains',
      comment: 'app.ts and the files beside it see the public files of domains only',
      severity: 'error',
      from: { path: '^src/[^/]+\\.ts$' },
      to: {
        path: '^src/(?!(?:platform|cli|sandbox-api)/)[^/]+/(?:routes|store|jobs|subscriptions|access)(?:/|\\.ts$)',
      },
    },
    {
      name: 'console-uses-the-client',
      comment: 'the console runs in browsers: it imports the types of the client and nothing else of ours',
      severity: 'error',
      from: { path: '^console/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(src|test|bench|scripts|bin|widget)/' },
    },
    {
      name: 'widget-stands-alone',
      comment: 'the widget runs in pages of other sites: their visitors load its imports',
      severity: 'error',
      from: { path: '^widget/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(src|test|bench|scripts|bin|console|client)/' },
    },
    {
      name: 'loader-without-frame',
      comment: 'loader and frame share the types of their messages only',
      severity: 'error',
      from: { path: '^widget/loader/' },
      to: { path: '^widget/(frame|demo)/|node_modules' },
    },
    {
      name: 'program-without-console',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(console|widget)/' },
    },
    {
      name: 'no-cycle',
      comment: 'no cycles, also none of types',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'program-without-tests',
      comment: 'shipped code does not import test code or development tools',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.(test|fixture)\\.ts$|/testing/' },
      to: {
        path: '^(test|bench|scripts)/|\\.(test|fixture)\\.ts$|/testing/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'no-dev-dependencies-in-the-program',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.(test|fixture)\\.ts$|/testing/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
}
