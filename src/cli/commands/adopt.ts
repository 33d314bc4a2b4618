import { adopt } from '../../server/installation/installation.ts'
import { command } from '../command.ts'
import { jsonFlag, print, withCells } from '../with-database.ts'

export const adoptCommand = command({
  meta: {
    name: 'adopt',
    description: 'Make a restored or moved copy the owner: it registers callbacks and sends from now on',
  },
  args: { ...jsonFlag },
  run: ({ args }) =>
    withCells({}, adopt, results => {
      const adopted = results.find(({ result }) => result !== undefined)?.result
      print(
        args.json,
        { adopted: adopted ?? null },
        adopted
          ? [
              `adopted the installation at ${adopted.publicUrl} (${adopted.id})`,
              'Running processes register its callbacks and send from now on; stop other copies of it.',
            ]
          : ['nothing to adopt: this installation is the owner already'],
      )
    }),
})
