import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../platform/root.ts'

const manifest = readFileSync(path.join(root, 'package.json'), 'utf8')

export const { version } = JSON.parse(manifest) as { version: string }
