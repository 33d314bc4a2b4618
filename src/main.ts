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
      serve: () => import('./cli/serve.ts').then(file => file.serveCommand),
      migrate: () => import('./cli/migrate.ts').then(file => file.migrateCommand),
      workspace: () => import('./cli/workspace.ts').then(file => file.workspaceCommand),
      user: () => import('./cli/user.ts').then(file => file.userCommand),
      key: () => import('./cli/key.ts').then(file => file.keyCommand),
      keys: () => import('./cli/keys.ts').then(file => file.keysCommand),
      import: () => import('./cli/import.ts').then(file => file.importCommand),
      listen: () => import('./cli/listen.ts').then(file => file.listenCommand),
      jobs: () => import('./cli/jobs.ts').then(file => file.jobsCommand),
      sandbox: () => import('./cli/sandbox.ts').then(file => file.sandboxCommand),
      routes: () => import('./cli/routes.ts').then(file => file.routesCommand),
      backup: () => import('./cli/backup.ts').then(file => file.backupCommand),
      restore: () => import('./cli/restore.ts').then(file => file.restoreCommand),
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
