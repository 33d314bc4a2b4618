/** Loads a stranger's package. Its types are not ours to depend on: the project is checked without it installed. */
import { installStrangers } from './install.ts'

// biome-ignore lint/suspicious/noExplicitAny: what a stranger offers is found out by using it
export async function load(name: string): Promise<any> {
  await installStrangers()
  return import(/* @vite-ignore */ name)
}
