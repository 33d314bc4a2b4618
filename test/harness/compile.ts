/** Compiles TypeScript under strict rules; rejects with the compiler's messages. */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'

const compiler = path.resolve(import.meta.dirname, '../../node_modules/@typescript/native/bin/tsc')
const options = [
  ...['--noEmit', '--strict', '--noUncheckedIndexedAccess', '--skipLibCheck', '--allowImportingTsExtensions'],
  ...['--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler'],
  ...['--lib', 'es2022,dom,dom.iterable', '--types', ''],
]

export async function compile(folder: string, file: string): Promise<void> {
  await promisify(execFile)(process.execPath, [compiler, ...options, file], { cwd: folder }).catch(error => {
    throw new Error(`${file} does not compile:\n${error.stdout}`)
  })
}
