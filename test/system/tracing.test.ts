/** Tests the traces that a service exports to a collector. */
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { until } from '../harness/service.ts'
import { within } from '../harness/wait.ts'
import { fresh, type Service, scratch, start } from './program.ts'

interface Span {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  kind: number
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
  status?: { code?: number }
}

/** Starts a collector that stores OTLP JSON. */
async function startCollector() {
  const spans: Span[] = []
  const services = new Set<string>()
  let raw = ''
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    raw += body
    if (request.url === '/v1/traces')
      for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans) {
        services.add(getAttribute(resource, 'service.name') as string)
        for (const scope of scopeSpans) spans.push(...scope.spans)
      }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, spans, services, raw: () => raw }
}

function getAttribute(span: Pick<Span, 'attributes'>, key: string): string | number | undefined {
  const value = span.attributes.find(attribute => attribute.key === key)?.value
  return value?.stringValue ?? (value?.intValue === undefined ? undefined : Number(value.intValue))
}

interface MessageBody {
  message: { deliveryStatus: string }
}

const newTrace = () => ({ traceId: randomBytes(16).toString('hex'), spanId: randomBytes(8).toString('hex') })

async function send(service: Service, body: unknown, traceparent?: string) {
  const response = await fetch(`${service.url}/v1/messages`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${service.credentials().apiKey}`,
      'content-type': 'application/json',
      ...(traceparent ? { traceparent } : {}),
    },
    body: JSON.stringify(body),
  })
  expect(response.status).toBe(202)
  return response
}

let root: string
beforeAll(() => {
  root = scratch()
})

async function getChatInboxId(service: Service): Promise<string> {
  const { inboxes } = (await (await service.call('GET', '/inboxes')).json()) as {
    inboxes: { id: string; channel: string }[]
  }
  return inboxes.find(inbox => inbox.channel === 'chatapp')!.id
}

test('a trace spans the request, the job and the provider call, and contains no message content', async () => {
  const collector = await startCollector()
  const service = await start({
    dataDir: fresh(root, 'traced'),
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_SERVICE_NAME: 'parley-under-test',
      OUTBOUND_LOOPBACK: 'on',
    },
  })
  await service.ready()
  const inboxId = await getChatInboxId(service)
  await service.call('PATCH', '/webhooks', {
    url: `${collector.url}/endpoint`,
    enabled: true,
    eventTypes: ['message.created'],
  })
  const message = (n: number, text: string) => ({
    recipient: { type: 'phone', phoneNumber: `+1415555010${n}` },
    inboxId,
    content: { type: 'text', text: { body: text } },
  })
  const first = newTrace()
  const response = await send(service, message(0, 'neverinatrace'), `00-${first.traceId}-${first.spanId}-01`)
  const [, traceId, requestSpan] = response.headers.get('traceparent')!.split('-')
  expect(traceId).toBe(first.traceId)

  const inTrace = (id: string) => collector.spans.filter(span => span.traceId === id)
  const findComplete = (id: string) => {
    const spans = inTrace(id)
    const request = spans.find(span => span.name === 'POST /v1/messages')
    const job = spans.find(span => span.name === 'job conversations.deliver_message')
    const call = spans.find(span => span.name.startsWith('call POST ') && span.parentSpanId === job?.spanId)
    return request && job && call ? { request, job, call } : undefined
  }
  const { request, job, call } = (await until(
    async () => findComplete(first.traceId),
    found => found !== undefined,
    30_000,
  ))!
  expect(request).toMatchObject({ spanId: requestSpan, parentSpanId: first.spanId, kind: 2 })
  expect(getAttribute(request, 'http.response.status_code')).toBe(202)
  expect(getAttribute(request, 'parley.request_id')).toBe(response.headers.get('x-request-id'))
  expect(job).toMatchObject({ parentSpanId: request.spanId, kind: 5 })
  expect(getAttribute(job, 'parley.job.attempt')).toBe(1)
  expect(getAttribute(job, 'parley.job.priority')).toBe('urgent')
  expect(getAttribute(job, 'parley.job.outcome')).toBe('done')
  expect(getAttribute(call, 'http.response.status_code')).toBe(200)
  expect(getAttribute(call, 'server.address')).toBe('127.0.0.1')

  // Requests accepted in one batch keep their own traces.
  for (let n = 1; n < 6; n++) await send(service, message(n, 'first'))
  const traces = Array.from({ length: 5 }, newTrace)
  await Promise.all(
    traces.map((trace, n) =>
      send(service, message(n + 1, 'neverinatrace'), `00-${trace.traceId}-${trace.spanId}-01`),
    ),
  )
  for (const trace of traces) {
    await until(
      async () => findComplete(trace.traceId),
      found => found !== undefined,
      30_000,
    )
    expect(
      inTrace(trace.traceId).filter(span => span.name === 'job conversations.deliver_message'),
    ).toHaveLength(1)
  }
  const delivery = await until(
    async () => collector.spans.find(span => span.name === 'webhook delivery'),
    found => found !== undefined,
    30_000,
  )
  expect(getAttribute(delivery!, 'http.response.status_code')).toBe(200)

  expect(collector.services).toEqual(new Set(['parley-under-test']))
  const exported = JSON.stringify(collector.spans)
  for (const secret of ['neverinatrace', '4155550100', service.credentials().apiKey, 'Bearer'])
    expect(exported).not.toContain(secret)
  expect(await service.stop()).toMatchObject({ code: 0 })
})

test('without a collector nothing is traced; an unreachable collector does not disturb the service', async () => {
  const plain = await start({ dataDir: fresh(root, 'plain') })
  await plain.ready()
  const trace = newTrace()
  const untraced = await plain.call('GET', '/inboxes')
  expect(untraced.headers.get('traceparent')).toBeNull()
  await plain.stop()

  const traced = await start({
    dataDir: plain.dataDir,
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' },
  })
  await traced.ready()
  const text = { type: 'text', text: { body: 'Hello' } }
  const recipient = { type: 'phone', phoneNumber: '+14155550111' }
  const traceparent = `00-${trace.traceId}-${trace.spanId}-01`
  const response = await send(
    traced,
    { recipient, inboxId: await getChatInboxId(traced), content: text },
    traceparent,
  )
  const { message } = (await response.json()) as { message: { id: string } }
  await until(
    async () => (await (await traced.call('GET', `/messages/${message.id}`)).json()) as MessageBody,
    found => ['sent', 'delivered', 'read'].includes(found.message.deliveryStatus),
    30_000,
  )
  await until(
    async () => traced.output(),
    output => output.includes('trace export failed'),
    30_000,
  )
  const stoppedAt = performance.now()
  expect(await traced.stop()).toMatchObject({ code: 0 })
  expect(performance.now() - stoppedAt).toBeLessThan(within(10_000))
})
