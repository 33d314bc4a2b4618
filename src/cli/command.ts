/** A command that takes only what it declares, and tells a failure in one line. */
import { parseArgs, stripVTControlCharacters } from 'node:util'
import { type ArgsDef, type CommandContext, type CommandDef, defineCommand, renderUsage } from 'citty'
import { CliError, run } from './errors.ts'

type Command<T extends ArgsDef> = Pick<CommandDef<T>, 'meta'> & {
  args: T
  run: (context: CommandContext<T>) => Promise<void> | void
}

export function command<const T extends ArgsDef>(given: Command<T>): CommandDef<T> {
  const defined: CommandDef<T> = defineCommand({
    ...given,
    run: context =>
      run(async () => {
        const fault = faultIn(context.rawArgs, given.args)
        if (fault) throw new CliError(`${fault}\n\n${await getUsage(process.stderr, defined)}`)
        await given.run(context)
      }),
  })
  return defined
}

/** The help text, in colours where somebody looks at it. */
export async function getUsage<T extends ArgsDef>(
  stream: NodeJS.WriteStream,
  shown: CommandDef<T>,
  parent?: CommandDef<T>,
): Promise<string> {
  const text = await renderUsage(shown, parent)
  return stream.isTTY ? text : stripVTControlCharacters(text)
}

type Flags = Record<string, { type: 'boolean' | 'string' }>

/** A misspelt flag must not be dropped silently, nor a flag take the next one for its value. */
function faultIn(rawArgs: string[], declared: ArgsDef): string | undefined {
  const args = Object.entries(declared)
  const flags: Flags = {}
  for (const [name, { type }] of args)
    if (type !== 'positional') flags[name] = { type: type === 'boolean' ? 'boolean' : 'string' }
  const given = {
    args: rawArgs,
    options: flags,
    strict: false,
    allowPositionals: true,
    tokens: true,
  } as const
  const { tokens } = parseArgs(given)
  const words = tokens.filter(token => token.kind === 'positional')
  if (words.length > args.length - Object.keys(flags).length) return 'there are more words than this takes'
  return tokens
    .filter(token => token.kind === 'option')
    .map(token => faultOf(token, flags))
    .find(fault => fault !== undefined)
}

interface Given {
  name: string
  rawName: string
  value: string | undefined
  inlineValue: boolean | undefined
}

function faultOf({ name, rawName, value, inlineValue }: Given, flags: Flags): string | undefined {
  if (!Object.hasOwn(flags, name)) return `there is no ${rawName} here`
  if (flags[name]!.type === 'boolean') return value === undefined ? undefined : `${rawName} takes no value`
  return !value || (!inlineValue && value.startsWith('-')) ? `${rawName} needs a value` : undefined
}
