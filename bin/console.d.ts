import type { Metafile } from 'esbuild'

export function buildConsole(root: string, dist: string): Promise<Metafile>
