export function bundle(root: string, entryPoints: string[], outdir: string): void
