/** Defines commands that accept only declared arguments and report a failure in one line. */
import { parseArgs, stripVTControlCharacters } from 'node:util'
import { type ArgsDef, type CommandContext, type CommandDef, defineCommand, renderUsage } from 'citty'
import { CliError, run } from './errors.ts'

type Command<T extends ArgsDef> = Pick<CommandDef<T>, 'meta'> & {
  args: T
  run: (context: CommandContext<T>) => Promise<void> | void
}

export function command<const T extends ArgsDef>(definition: Command<T>): CommandDef<T> {
  const strict: CommandDef<T> = defineCommand({
    ...definition,
    run: context =>
      run(async () => {
        const mistake = findMistake(context.rawArgs, definition.args)
        if (mistake) throw new CliError(`${mistake}\n\n${await getUsage(process.stderr, strict)}`)
        await definition.run(context)
      }),
  })
  return strict
}

export async function getUsage<T extends ArgsDef>(
  stream: NodeJS.WriteStream,
  shownCommand: CommandDef<T>,
  parent?: CommandDef<T>,
): Promise<string> {
  const text = await renderUsage(shownCommand, parent)
  return stream.isTTY ? text : stripVTControlCharacters(text)
}

type Flags = Record<string, { type: 'boolean' | 'string' }>

/** Finds unknown flags, which citty drops silently, and flags that would take the next flag as their value. */
function findMistake(rawArgs: string[], declared: ArgsDef): string | undefined {
  const args = Object.entries(declared)
  const flags: Flags = {}
  for (const [name, { type }] of args)
    if (type !== 'positional') flags[name] = { type: type === 'boolean' ? 'boolean' : 'string' }
  const options = { args: rawArgs, options: flags, strict: false, allowPositionals: true } as const
  const { tokens } = parseArgs({ ...options, tokens: true })
  const positionals = tokens.filter(token => token.kind === 'positional')
  if (positionals.length > args.length - Object.keys(flags).length) return 'too many arguments'
  return tokens
    .filter(token => token.kind === 'option')
    .map(token => checkOption(token, flags))
    .find(mistake => mistake !== undefined)
}

interface OptionToken {
  name: string
  rawName: string
  value: string | undefined
  inlineValue: boolean | undefined
}

function checkOption({ name, rawName, value, inlineValue }: OptionToken, flags: Flags): string | undefined {
  if (!Object.hasOwn(flags, name)) return `unknown option ${rawName}`
  if (flags[name]!.type === 'boolean') return value === undefined ? undefined : `${rawName} takes no value`
  return !value || (!inlineValue && value.startsWith('-')) ? `${rawName} needs a value` : undefined
}
