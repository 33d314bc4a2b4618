/** The command line: `parley <command>`. Each command is a file in cli/, loaded when it is used. */
import { defineCommand, runMain } from 'citty'
import { getUsage } from './cli/command.ts'
import { version } from './platform/project-root.ts'

const isHelp = process.argv.slice(2).some(arg => arg === '--help' || arg === '-h')

// The reader of the output may close the pipe early, as in `parley routes | head`.
process.stdout.on('error', error => process.exit((error as NodeJS.ErrnoException).code === 'EPIPE' ? 0 : 1))

await runMain(
  defineCommand({
    meta: {
      name: 'parley',
      version,
      description: 'Customer messaging: inboxes, conversations, contacts, campaigns, journeys and chatbots',
    },
    subCommands: {
      cell: () => import('./cli/commands/cell.ts').then(file => file.cellCommand),
      directory: () => import('./cli/commands/directory.ts').then(file => file.directoryCommand),
      serve: () => import('./cli/commands/serve.ts').then(file => file.serveCommand),
      migrate: () => import('./cli/commands/migrate.ts').then(file => file.migrateCommand),
      workspace: () => import('./cli/commands/workspace.ts').then(file => file.workspaceCommand),
      user: () => import('./cli/commands/user.ts').then(file => file.userCommand),
      key: () => import('./cli/commands/key.ts').then(file => file.keyCommand),
      keys: () => import('./cli/commands/keys.ts').then(file => file.keysCommand),
      import: () => import('./cli/commands/import.ts').then(file => file.importCommand),
      listen: () => import('./cli/commands/listen.ts').then(file => file.listenCommand),
      jobs: () => import('./cli/commands/jobs.ts').then(file => file.jobsCommand),
      sandbox: () => import('./cli/commands/sandbox.ts').then(file => file.sandboxCommand),
      routes: () => import('./cli/commands/routes.ts').then(file => file.routesCommand),
      inbox: () => import('./cli/commands/inbox.ts').then(file => file.inboxCommand),
      adopt: () => import('./cli/commands/adopt.ts').then(file => file.adoptCommand),
      bucket: () => import('./cli/commands/bucket.ts').then(file => file.bucketCommand),
      backup: () => import('./cli/commands/backup.ts').then(file => file.backupCommand),
      restore: () => import('./cli/commands/backup.ts').then(file => file.restoreCommand),
    },
  }),
  {
    // Usage goes to stdout only with --help; after a mistake it must not mix with output.
    showUsage: async (command, parent) => {
      const stream = isHelp ? process.stdout : process.stderr
      stream.write(`${await getUsage(stream, command, parent)}\n`)
    },
  },
)
