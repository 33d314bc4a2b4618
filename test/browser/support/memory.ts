/** Measures what the scripts of a page hold in memory. */
import type { Page } from 'playwright-core'

/** Returns everything that the scripts of the page hold in memory, after a garbage collection. */
export async function takeHeapSnapshot(page: Page): Promise<string> {
  const devtools = await page.context().newCDPSession(page)
  const chunks: string[] = []
  devtools.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk))
  await devtools.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  await devtools.detach()
  return chunks.join('')
}

/** Compiled code grows with use, and the browser keeps the entries of its timelines: both are not the page's. */
const notOfPage = new Set(['code', 'native'])

/** Returns the bytes of the page's objects and strings, and the number of nodes and listeners, in the document or not. */
export async function measureMemory(page: Page): Promise<{ bytes: number; nodes: number }> {
  const { snapshot, nodes: values } = JSON.parse(await takeHeapSnapshot(page))
  const { node_fields: fields, node_types: types } = snapshot.meta
  const [type, size] = [fields.indexOf('type'), fields.indexOf('self_size')]
  let bytes = 0
  for (let at = 0; at < values.length; at += fields.length)
    if (!notOfPage.has(types[type][values[at + type]])) bytes += values[at + size]
  const devtools = await page.context().newCDPSession(page)
  const { nodes, jsEventListeners } = await devtools.send('Memory.getDOMCounters')
  await devtools.detach()
  return { bytes, nodes: nodes + jsEventListeners }
}
