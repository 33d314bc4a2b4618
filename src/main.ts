/** The command line: `parley <command>`. Each command is a file in cli/, loaded when it is asked for. */
import { defineCommand, runMain } from 'citty'
import { getUsage } from './cli/command.ts'
import { version } from './server/version.ts'

const asked = process.argv.slice(2).some(arg => arg === '--help' || arg === '-h')

// Whoever reads what we print may stop reading, as `parley routes | head` does.
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
    // Asked for, it is the answer; after a mistake, it must not mix with answers.
    showUsage: async (command, parent) => {
      const stream = asked ? process.stdout : process.stderr
      stream.write(`${await getUsage(stream, command, parent)}\n`)
    },
  },
)
