/** The wall clock of each process, moved from outside by libfaketime where it is installed; the monotonic one stays. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const libraries = '/usr/lib'

function findLibrary(): string | undefined {
  if (!existsSync(libraries)) return undefined
  return readdirSync(libraries)
    .map(name => path.join(libraries, name, 'faketime', 'libfaketimeMT.so.1'))
    .find(existsSync)
}

export function movableTime(root: string) {
  const library = findLibrary()
  if (!library) return undefined
  const fileOf = (n: number) => path.join(root, `clock ${n}`)
  const set = (n: number, seconds: number) =>
    writeFileSync(fileOf(n), `${seconds < 0 ? '' : '+'}${seconds}s\n`)
  return {
    set,
    env(n: number) {
      if (!existsSync(fileOf(n))) set(n, 0)
      return {
        LD_PRELOAD: library,
        FAKETIME_TIMESTAMP_FILE: fileOf(n),
        FAKETIME_NO_CACHE: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
        FAKETIME_DONT_RESET: '1',
      }
    },
  }
}
