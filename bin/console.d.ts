import type { Metafile } from 'esbuild'

export function canBuildConsole(root: string): boolean
export function buildConsole(root: string, dist: string): Promise<Metafile>
