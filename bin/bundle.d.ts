export function bundle(root: string, entryPoints: string[], outdir: string): void
export function bundleAsync(root: string, entryPoints: string[], outdir: string): Promise<void>
export function stopBundling(): Promise<void>
