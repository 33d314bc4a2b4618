import type { Metafile } from 'esbuild'

export function buildWidget(root: string, dist: string): Promise<Metafile>
