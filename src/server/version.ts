import { readFileSync } from 'node:fs'
import path from 'node:path'
import { projectRoot } from '../platform/project-root.ts'

const manifest = readFileSync(path.join(projectRoot, 'package.json'), 'utf8')

export const { version } = JSON.parse(manifest) as { version: string }
