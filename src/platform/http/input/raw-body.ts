/**
 * Reads the bodies of public routes as bytes, whatever their content type: signatures cover bytes. The bytes of all such
 * requests that are being received or handled are limited together and per network, because the signature can be
 * verified only when the body is complete.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { BodyTooLarge, fail, MalformedBody, Problem, Unavailable } from '../../errors.ts'
import { toClientNetwork } from '../rate-limit.ts'

const maxBytesInFlight = 64 * 1024 * 1024
const maxBytesPerNetwork = 16 * 1024 * 1024

declare module 'fastify' {
  interface FastifyRequest {
    /** Bytes of the raw body in memory. */
    rawBytes: number
  }
}

export function registerRawBodies(app: FastifyInstance): void {
  const inFlight = countBytes()
  app.decorateRequest('rawBytes', 0)
  app.addHook('onRequest', async (request, reply) => {
    reply.raw.once('close', () => inFlight.remove(toClientNetwork(request.ip), request.rawBytes))
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (request: FastifyRequest, payload: NodeJS.ReadableStream) =>
    readBytes(payload, chunk => {
      if (request.rawBytes + chunk.length > request.routeOptions.bodyLimit!) fail(BodyTooLarge)
      if (!inFlight.add(toClientNetwork(request.ip), chunk.length))
        fail(Unavailable, 'too many callbacks are being received; try again shortly', {
          headers: { 'retry-after': '1', connection: 'close' },
        })
      request.rawBytes += chunk.length
    }),
  )
}

function countBytes() {
  const byNetwork = new Map<string, number>()
  let total = 0
  return {
    /** Returns false if the bytes exceed a limit. */
    add(network: string, bytes: number): boolean {
      const own = (byNetwork.get(network) ?? 0) + bytes
      if (own > maxBytesPerNetwork || total + bytes > maxBytesInFlight) return false
      byNetwork.set(network, own)
      total += bytes
      return true
    },
    remove(network: string, bytes: number): void {
      total -= bytes
      const left = (byNetwork.get(network) ?? 0) - bytes
      if (left > 0) byNetwork.set(network, left)
      else byNetwork.delete(network)
    },
  }
}

/** Collects the body. An error of `accept` ends the reading and leaves the connection open for the response. */
function readBytes(payload: NodeJS.ReadableStream, accept: (chunk: Buffer) => void): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const take = (chunk: Buffer) => {
      try {
        accept(chunk)
        chunks.push(chunk)
      } catch (error) {
        payload.off('data', take)
        reject(error)
      }
    }
    payload
      .on('data', take)
      .once('end', () => resolve(Buffer.concat(chunks)))
      .once('error', () => reject(new Problem(MalformedBody, { detail: 'the body is incomplete' })))
  })
}
