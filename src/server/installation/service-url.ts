/** Records the URL of the service in the data directory, because commands do not know the PORT of the service. */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '../../platform/config.ts'

const urlPath = (config: Config) => path.join(config.dataDir, 'url')

export async function recordServiceUrl(config: Config): Promise<void> {
  await writeFile(urlPath(config), `${config.publicUrl}\n`)
}

/** Returns PUBLIC_URL if it is set, otherwise the URL of the service's last start. */
export async function getServiceUrl(config: Config): Promise<string> {
  if (config.isPublicUrlSet) return config.publicUrl
  const recorded = await readFile(urlPath(config), 'utf8').catch(() => '')
  return recorded.trim() || config.publicUrl
}
