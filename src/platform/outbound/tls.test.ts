// Certificates are checked, whatever the environment says. The keys below exist for this test alone; the
// certificates are valid from 2020 to 2120, for secure.example and 127.0.0.1.
import { createServer as createHttpServer } from 'node:http'
import { createServer, type ServerOptions } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { eventually } from '../../../test/harness/wait.ts'
import { createOutbound } from './outbound.ts'

const authority = `-----BEGIN CERTIFICATE-----
MIIBdTCCARygAwIBAgIUE59J0RlH3oHTXAzNIzAoSn1Cse4wCgYIKoZIzj0EAwIw
IDEeMBwGA1UEAwwVUGFybGV5IHRlc3QgYXV0aG9yaXR5MCAXDTIwMDEwMTAwMDAw
MFoYDzIxMjAwMTAxMDAwMDAwWjAgMR4wHAYDVQQDDBVQYXJsZXkgdGVzdCBhdXRo
b3JpdHkwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQ1VddsdN8d8v91yTe+J0le
6JPinmVWDCB4WVLx2l5RSK0f1vyD4PiqEyM7cGLcgc371F83jb8XaHXoqFofCKuR
ozIwMDAPBgNVHRMBAf8EBTADAQH/MB0GA1UdDgQWBBT1mRP19B+7WbC1Jqw/6hgj
4vniiTAKBggqhkjOPQQDAgNHADBEAiAGwjqhvU1zbobZtT4eUs/IZDtU6wiWSxdI
eHbme/xAlwIgPVMCOCGKa0ABRDkUejIBNv4qeKHxjI5Yx315VSWnoWw=
-----END CERTIFICATE-----`
const key = `-----BEGIN EC PRIVATE KEY-----
MHcCAQEEIF2Rkk7Et8CsrTE1v0zrAsufzNvWwLUVwRXCQG7DT5bBoAoGCCqGSM49
AwEHoUQDQgAEcu8wXXZQJDC+W3rD4/5dByUyrIV/+4zI3I4rkVw4gBul28WSL1Q1
34q3uDX2q0cVKaxICXGqZPVWv6SBamjoww==
-----END EC PRIVATE KEY-----`
const signed = `-----BEGIN CERTIFICATE-----
MIIBqjCCAVGgAwIBAgIUf7c/44+1961zGAH8eL0WVPxNzWswCgYIKoZIzj0EAwIw
IDEeMBwGA1UEAwwVUGFybGV5IHRlc3QgYXV0aG9yaXR5MCAXDTIwMDEwMTAwMDAw
MFoYDzIxMjAwMTAxMDAwMDAwWjAZMRcwFQYDVQQDDA5zZWN1cmUuZXhhbXBsZTBZ
MBMGByqGSM49AgEGCCqGSM49AwEHA0IABHLvMF12UCQwvlt6w+P+XQclMqyFf/uM
yNyOK5FcOIAbpdvFki9UNd+Kt7g19qtHFSmsSAlxqmT1Vr+kgWpo6MOjbjBsMB8G
A1UdEQQYMBaCDnNlY3VyZS5leGFtcGxlhwR/AAABMAkGA1UdEwQCMAAwHQYDVR0O
BBYEFFU8RO1iBSVMkyKvtzAH/hhQ48ipMB8GA1UdIwQYMBaAFPWZE/X0H7tZsLUm
rD/qGCPi+eKJMAoGCCqGSM49BAMCA0cAMEQCIDN2trXU6seiromJ4kF3y16ZBoNR
4Y0Y/RN8i+A814hjAiBKI+HPoSJ3+3KmAwtnthWXQ5HZVcvO7qKjLThAvDnr1g==
-----END CERTIFICATE-----`
const expired = `-----BEGIN CERTIFICATE-----
MIIBqjCCAU+gAwIBAgIUfWnp2W30YGKCdcgaYzmh5atjGWAwCgYIKoZIzj0EAwIw
IDEeMBwGA1UEAwwVUGFybGV5IHRlc3QgYXV0aG9yaXR5MB4XDTIwMDEwMTAwMDAw
MFoXDTIwMDIwMTAwMDAwMFowGTEXMBUGA1UEAwwOc2VjdXJlLmV4YW1wbGUwWTAT
BgcqhkjOPQIBBggqhkjOPQMBBwNCAARy7zBddlAkML5besPj/l0HJTKshX/7jMjc
jiuRXDiAG6XbxZIvVDXfire4NfarRxUprEgJcapk9Va/pIFqaOjDo24wbDAfBgNV
HREEGDAWgg5zZWN1cmUuZXhhbXBsZYcEfwAAATAJBgNVHRMEAjAAMB0GA1UdDgQW
BBRVPETtYgUlTJMir7cwB/4YUOPIqTAfBgNVHSMEGDAWgBT1mRP19B+7WbC1Jqw/
6hgj4vniiTAKBggqhkjOPQQDAgNJADBGAiEArfNTVoO+onforPRWzkeEarOLaeoV
vtkG/D0AcSeo16ICIQDvgxzwBICodsFwk9fSBAGeeWUhkI7svMppHbOjVGGcMA==
-----END CERTIFICATE-----`
const selfSigned = `-----BEGIN CERTIFICATE-----
MIIBgzCCASmgAwIBAgIUA7GhJ5vZG3lASCUOnxJ4dxFxrIYwCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwOc2VjdXJlLmV4YW1wbGUwIBcNMjAwMTAxMDAwMDAwWhgPMjEy
MDAxMDEwMDAwMDBaMBkxFzAVBgNVBAMMDnNlY3VyZS5leGFtcGxlMFkwEwYHKoZI
zj0CAQYIKoZIzj0DAQcDQgAEcu8wXXZQJDC+W3rD4/5dByUyrIV/+4zI3I4rkVw4
gBul28WSL1Q134q3uDX2q0cVKaxICXGqZPVWv6SBamjow6NNMEswHwYDVR0RBBgw
FoIOc2VjdXJlLmV4YW1wbGWHBH8AAAEwCQYDVR0TBAIwADAdBgNVHQ4EFgQUVTxE
7WIFJUyTIq+3MAf+GFDjyKkwCgYIKoZIzj0EAwIDSAAwRQIgG6inSyH/6rLU+HUx
L+7wQLEcrWkhxKc7yTo931YZzTkCIQC1T1fDeSJ+ec2m394xmYCHlV9S/RjdJ8I+
maSS2O5sow==
-----END CERTIFICATE-----`

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

async function listening(server: Server, host = '127.0.0.1') {
  const sockets = new Set<Socket>()
  server.on('connection', socket => {
    sockets.add(socket.on('close', () => sockets.delete(socket)))
  })
  await new Promise<void>(resolve => server.listen(0, host, resolve))
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { sockets, port: (server.address() as AddressInfo).port }
}

const serve = (options: ServerOptions, seen: string[], host?: string) =>
  listening(
    createServer({ key, ...options }, (request, response) => {
      seen.push(
        `${(request.socket as TLSSocket & { servername: unknown }).servername} ${request.headers.host}`,
      )
      response.end('ok')
    }),
    host,
  )

/** Long enough for the slowest machine. */
const longMs = 30_000

function call(url: string, ca?: string, connectTimeoutMs = longMs) {
  const policy = { allowCidrs: [], allowLoopback: true, ownPorts: [] }
  const outbound = createOutbound({ policy, ca, lookup: async () => ['127.0.0.1'] })
  cleanups.push(() => outbound.close({ graceMs: 0 }))
  return outbound.request({
    method: 'GET',
    url,
    timeoutMs: longMs,
    connectTimeoutMs,
    maxResponseBytes: 1024,
  })
}

describe('TLS', () => {
  it('is accepted from an authority we trust, for a name and for an address', async () => {
    const seen: string[] = []
    const { port } = await serve({ cert: signed }, seen)
    expect(await call(`https://secure.example:${port}/`, authority)).toMatchObject({ ok: true, status: 200 })
    expect(await call(`https://secure.example.:${port}/`, authority)).toMatchObject({ ok: true, status: 200 })
    expect(await call(`https://127.0.0.1:${port}/`, authority)).toMatchObject({ ok: true, status: 200 })
    expect(seen).toEqual([
      `secure.example secure.example:${port}`,
      `secure.example secure.example.:${port}`,
      `false 127.0.0.1:${port}`,
    ])
  })

  const refused: [string, ServerOptions, string, string | undefined, string][] = [
    [
      'a self-signed certificate',
      { cert: selfSigned },
      'secure.example',
      undefined,
      'DEPTH_ZERO_SELF_SIGNED_CERT',
    ],
    [
      'a self-signed certificate, another authority',
      { cert: selfSigned },
      'secure.example',
      authority,
      'SELF_SIGNED',
    ],
    [
      'an unknown authority',
      { cert: signed },
      'secure.example',
      undefined,
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    ],
    ['an expired certificate', { cert: expired }, 'secure.example', authority, 'CERT_HAS_EXPIRED'],
    ['another name', { cert: signed }, 'other.example', authority, 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['another address', { cert: signed }, '127.0.0.2', authority, 'ERR_TLS_CERT_ALTNAME_INVALID'],
    [
      'an old protocol',
      { cert: signed, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' },
      'secure.example',
      authority,
      'ERR_SSL',
    ],
  ]
  it.each(refused)(
    'with %s is refused before the request is sent',
    async (_case, options, host, ca, code) => {
      const seen: string[] = []
      const { port } = await serve(options, seen, host === '127.0.0.2' ? host : undefined)
      vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
      cleanups.push(() => vi.unstubAllEnvs())
      const result = await call(`https://${host}:${port}/`, ca)
      expect(result).toMatchObject({ ok: false, code: 'tls_failed', message: expect.stringContaining(code) })
      expect(seen).toEqual([])
    },
  )

  it('against a server that speaks plain HTTP, closes, or says nothing fails in time', async () => {
    const plain = await listening(createHttpServer((_request, response) => response.end()))
    expect(await call(`https://127.0.0.1:${plain.port}/`, authority)).toMatchObject({ code: 'tls_failed' })
    const closing = await listening(createTcpServer(socket => socket.end()))
    expect(await call(`https://127.0.0.1:${closing.port}/`, authority)).toMatchObject({ code: 'tls_failed' })
    const silent = await listening(createTcpServer(socket => socket.resume()))
    const result = await call(`https://127.0.0.1:${silent.port}/`, authority, 300)
    expect(result).toMatchObject({ ok: false, code: 'timeout', message: 'no connection within 300 ms' })
    await eventually(() => expect(silent.sockets.size).toBe(0))
  })
})
