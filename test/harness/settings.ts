import { readConfig } from '../../src/platform/config.ts'

/** Values with which the service reads settings that it otherwise skips. */
const values: Record<string, string> = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }

/** Lists the environment variables that the service reads. */
export function listSettings(): Set<string> {
  // The exporter of traces reads this one itself.
  const names = new Set(['OTEL_EXPORTER_OTLP_HEADERS'])
  const record = (_: object, name: string | symbol) => {
    names.add(String(name))
    return values[String(name)]
  }
  readConfig(new Proxy({}, { get: record }))
  return names
}
