/** Reads the configuration from the environment. All errors are reported together. */
import os from 'node:os'
import path from 'node:path'
import ipaddr from 'ipaddr.js'
import type { S3Settings } from './blobs/s3.ts'
import { checkDatabases, databaseProtocols, readCells } from './cell-config.ts'
import { checkPolicy } from './outbound/policy.ts'
import type { TracingSettings } from './tracing/tracing.ts'

/** The channels of providers outside of this service; the sandbox simulates them. */
export const remoteChannels = ['chatapp', 'socialapp', 'sms'] as const
export type RemoteChannel = (typeof remoteChannels)[number]
/** All channels; the provider of webchat is this service. */
export const channels = [...remoteChannels, 'webchat'] as const
export type Channel = (typeof channels)[number]

export type Config = ReturnType<typeof readSettings>

export interface ChannelConfig {
  /** The sandbox if undefined. */
  baseUrl: string | undefined
  apiVersion: string | undefined
  token: string | undefined
  appSecret: string | undefined
  verifyToken: string | undefined
  rate: number | undefined
}

/** More searches than cores at a time would only slow down the rest. */
const defaultSearchers = Math.min(4, Math.max(2, os.availableParallelism()))

export class ConfigError extends Error {}

type Env = Record<string, string | undefined>

export function readConfig(env: Env): Config {
  const errors: string[] = []
  const config = readSettings(createReader(env, errors), errors)
  checkDatabases(config, errors)
  if (errors.length > 0)
    throw new ConfigError(`the configuration is invalid:\n${errors.map(error => `  - ${error}`).join('\n')}`)
  return config
}

function readSettings(read: Reader, errors: string[]) {
  const host = read.text('HOST') ?? '127.0.0.1'
  const port = read.integer('PORT', 8080, 0, 65_535)
  return {
    dataDir: path.resolve(read.text('DATA_DIR') ?? 'data'),
    host,
    port,
    /** Public base URL; webhook URLs and links are built from it. */
    publicUrl: read.baseUrl('PUBLIC_URL') ?? `http://${toUrlHost(host)}:${port}`,
    /** False if `publicUrl` was derived from the address of this process. */
    isPublicUrlSet: read.text('PUBLIC_URL') !== undefined,
    databaseUrl: read.url('DATABASE_URL', databaseProtocols),
    /** Bypasses a connection pooler: for migrations, the sequencer and LISTEN. */
    databaseDirectUrl: read.url('DATABASE_DIRECT_URL', databaseProtocols),
    /** A standby that serves searches, lists and reports. */
    databaseReplicaUrl: read.url('DATABASE_REPLICA_URL', databaseProtocols),
    /** The databases of an installation with cells, the home cell first; empty: one database. */
    databaseCells: readCells(read, errors),
    databaseReaders: read.integer('DATABASE_READERS', 4, 1, 100),
    databaseWriters: read.integer('DATABASE_WRITERS', 12, 2, 200),
    databaseSearchers: read.integer('DATABASE_SEARCHERS', defaultSearchers, 2, 200),
    // Shares of one workspace; see docs/configuration.md.
    requestsPerWorkspace: read.integer('REQUESTS_PER_WORKSPACE', 16, 1, 10_000),
    httpCallsPerWorkspace: read.integer('HTTP_CALLS_PER_WORKSPACE', 16, 1, 1_000),
    simulationsPerWorkspace: read.integer('SIMULATIONS_PER_WORKSPACE', 2, 1, 100),
    exportsPerWorkspace: read.integer('EXPORTS_PER_WORKSPACE', 2, 1, 100),
    automatedMessagesPerMinute: read.integer('AUTOMATED_MESSAGES_PER_MINUTE', 30, 1, 10_000),
    storageMbPerWorkspace: read.integer('STORAGE_MB_PER_WORKSPACE', 10_240, 1, 1_000_000_000),
    /** Messages are deleted after this many days in every workspace; a workspace may set fewer. */
    maxRetentionDays: readMaxRetention(read, errors),
    /** Uploads are refused when less space than this is left on the disk of DATA_DIR. */
    minFreeDiskMb: read.integer('MIN_FREE_DISK_MB', 512, 0, 1_000_000_000),
    /** Message bus between processes; PostgreSQL if undefined. */
    nats: readNats(read, errors),
    /** Blob store; DATA_DIR if undefined. */
    s3: readS3(read, errors),
    secretKey: read.secret('SECRET_KEY'),
    oldSecretKeys: read.list('OLD_SECRET_KEYS'),
    logLevel: read.choice(
      'LOG_LEVEL',
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'info',
    ),
    /** `development` also serves the page that shows every part of the design system. */
    console: read.choice('CONSOLE', ['on', 'off', 'development'], 'on'),
    signup: read.choice('SIGNUP', ['open', 'closed'], 'closed'),
    sandbox: read.choice('SANDBOX', ['on', 'strict', 'off'], 'on') !== 'off',
    /** Enforces the providers' messaging windows and rate limits in the sandbox. */
    sandboxStrict: read.text('SANDBOX') === 'strict',
    /** URL of a sandbox in its own process. */
    sandboxUrl: read.baseUrl('SANDBOX_URL'),
    rateLimit: readRateLimit(read),
    /** How long to search for evidence of a send with an unknown outcome; default by channel. */
    sendReconcileSeconds: read.integer('SEND_RECONCILE_SECONDS', 0, 0, 86_400) || undefined,
    /** Time between reporting not ready and refusing requests at a stop, for load balancers to notice. */
    drainSeconds: read.integer('DRAIN_SECONDS', 0, 0, 300),
    /** Open connections of this process, including sockets. */
    maxConnections: read.integer('MAX_CONNECTIONS', 10_000, 1, 1_000_000),
    corsOrigins: read.list('CORS_ORIGINS'),
    trustProxy: readTrustProxy(read.text('TRUST_PROXY'), errors),
    metricsToken: read.text('METRICS_TOKEN'),
    /** Trace exporter; no tracing if undefined. */
    tracing: readTracing(read, errors),
    outboundAllow: readOutboundAllow(read.list('OUTBOUND_ALLOW'), errors),
    /** Lets webhooks and workflows call this machine. */
    outboundLoopback: read.choice('OUTBOUND_LOOPBACK', ['on', 'off'], 'off') === 'on',
    channels: {
      chatapp: readGraphChannel(read, 'CHATAPP', errors),
      socialapp: readGraphChannel(read, 'SOCIALAPP', errors),
      sms: readChannel(read, 'SMS'),
    } as Record<RemoteChannel, ChannelConfig>,
    oidc: readOidc(read, errors),
  }
}

export function toUrlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

/** All data that refers to a message later is deleted within two weeks. */
export const minRetentionDays = 14
export const maxRetentionDays = 3_650

function readMaxRetention(read: Reader, errors: string[]): number | undefined {
  const days = read.integer('MAX_RETENTION_DAYS', 0, 0, maxRetentionDays)
  if (days > 0 && days < minRetentionDays)
    errors.push(`MAX_RETENTION_DAYS must be 0 (no limit) or at least ${minRetentionDays}`)
  return days || undefined
}

function readRateLimit(read: Reader) {
  const perSecond = read.integer('RATE_LIMIT', 1000, 0, 1_000_000)
  const burst = read.integer('RATE_LIMIT_BURST', Math.max(1, perSecond * 2), 1, 10_000_000)
  return perSecond === 0 ? undefined : { perSecond, burst }
}

function readNats(read: Reader, errors: string[]) {
  const url = read.text('NATS_URL')
  const prefix = read.text('NATS_PREFIX') ?? 'parley'
  if (!/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/.test(prefix))
    errors.push('NATS_PREFIX must be words of letters, digits, - and _, joined by dots')
  if (url === undefined) return undefined
  const servers = url.split(',').map(server => server.trim())
  // The value may contain a password, so the message does not repeat it.
  if (!servers.every(server => URL.canParse(server) && /^(nats|tls):$/.test(new URL(server).protocol)))
    errors.push('NATS_URL must be one or more URLs that start with nats:// or tls://, separated by commas')
  return { url, prefix }
}

function readS3(read: Reader, errors: string[]): S3Settings | undefined {
  const bucket = read.text('S3_BUCKET')
  const endpoint = read.url('S3_ENDPOINT', ['http:', 'https:'])
  const [accessKeyId, secretAccessKey] = [read.text('S3_ACCESS_KEY_ID'), read.text('S3_SECRET_ACCESS_KEY')]
  const region = read.text('S3_REGION') ?? 'us-east-1'
  if (bucket === undefined) {
    if (endpoint ?? accessKeyId ?? secretAccessKey)
      errors.push('S3_BUCKET is required with the other S3_ settings')
    return undefined
  }
  if (!accessKeyId || !secretAccessKey)
    errors.push('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are required with S3_BUCKET')
  return { bucket, endpoint, region, accessKeyId: accessKeyId ?? '', secretAccessKey: secretAccessKey ?? '' }
}

function readTracing(read: Reader, errors: string[]): TracingSettings | undefined {
  const endpoint = read.url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:'])
  const ratio = Number(read.text('OTEL_TRACES_SAMPLER_ARG') ?? 1)
  if (!(ratio >= 0 && ratio <= 1)) errors.push('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1')
  if (endpoint === undefined || read.text('OTEL_SDK_DISABLED') === 'true') return undefined
  return { endpoint, serviceName: read.text('OTEL_SERVICE_NAME') ?? 'parley', ratio }
}

const namedNetworks = ['loopback', 'linklocal', 'uniquelocal']

function readTrustProxy(text: string | undefined, errors: string[]): boolean | string {
  if (text === undefined || text === 'false') return false
  if (text === 'true') return true
  const isKnown = (entry: string) =>
    namedNetworks.includes(entry) || ipaddr.isValid(entry) || ipaddr.isValidCIDR(entry)
  for (const entry of text.split(',').map(part => part.trim()))
    if (!isKnown(entry))
      errors.push(`TRUST_PROXY must be true, false, or proxies such as 10.0.0.0/8, not "${entry}"`)
  return text
}

function readOutboundAllow(entries: string[], errors: string[]): string[] {
  for (const entry of entries) {
    try {
      checkPolicy({ allowCidrs: [entry], allowLoopback: false, ownPorts: [] })
    } catch (error) {
      errors.push(`OUTBOUND_ALLOW: ${(error as Error).message}`)
    }
  }
  return entries
}

function readChannel(read: Reader, name: string): ChannelConfig {
  return {
    baseUrl: read.baseUrl(`${name}_BASE_URL`),
    apiVersion: undefined,
    token: undefined,
    appSecret: undefined,
    verifyToken: undefined,
    rate: read.integer(`${name}_RATE`, 0, 0, 100_000) || undefined,
  }
}

function readGraphChannel(read: Reader, name: string, errors: string[]): ChannelConfig {
  const apiVersion = read.text(`${name}_API_VERSION`) ?? 'v23.0'
  const channel = {
    ...readChannel(read, name),
    apiVersion,
    token: read.text(`${name}_TOKEN`),
    appSecret: read.text(`${name}_APP_SECRET`),
    verifyToken: read.text(`${name}_VERIFY_TOKEN`),
  }
  if (!/^v\d{1,3}\.\d$/.test(apiVersion))
    errors.push(`${name}_API_VERSION must look like v23.0, not "${apiVersion}"`)
  if (channel.token && !channel.appSecret)
    errors.push(`${name}_APP_SECRET is required with ${name}_TOKEN, to verify the provider's webhooks`)
  return channel
}

function readOidc(read: Reader, errors: string[]) {
  const issuer = read.url('OIDC_ISSUER', ['https:', 'http:'])
  const tenantClaim = read.text('OIDC_TENANT_CLAIM')
  const tenantId = read.text('OIDC_TENANT')
  const clientId = read.text('OIDC_CLIENT_ID')
  const clientSecret = read.text('OIDC_CLIENT_SECRET')
  const audience = read.text('OIDC_AUDIENCE') ?? clientId
  if (clientSecret && !clientId) errors.push('OIDC_CLIENT_ID is required with OIDC_CLIENT_SECRET')
  if (!issuer && !audience) return undefined
  if (!issuer || !audience)
    errors.push('OIDC_ISSUER must be set together with OIDC_CLIENT_ID or OIDC_AUDIENCE')
  if (!tenantClaim && !tenantId)
    errors.push(
      'OIDC_TENANT_CLAIM or OIDC_TENANT is required with OIDC_ISSUER, to find the workspace of a token',
    )
  const client = clientId === undefined ? {} : { clientId, clientSecret }
  return { issuer: issuer ?? '', audience: audience ?? '', tenantClaim, tenantId, ...client }
}

type Reader = ReturnType<typeof createReader>

function createReader(env: Env, errors: string[]) {
  const text = (name: string): string | undefined => {
    const value = env[name]?.trim()
    return value === '' ? undefined : value
  }
  function url(name: string, protocols: string[]): string | undefined {
    const value = text(name)
    if (value === undefined) return undefined
    // The value may contain a password, so the message does not repeat it.
    if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol))
      errors.push(`${name} must be a URL that starts with ${protocols.map(p => `${p}//`).join(' or ')}`)
    return value
  }
  return {
    text,
    url,
    /** Without slashes at the end. */
    baseUrl: (name: string): string | undefined => url(name, ['http:', 'https:'])?.replace(/\/+$/, ''),
    secret(name: string): string | undefined {
      const value = text(name)
      if (value !== undefined && value.length < 32) errors.push(`${name} must have at least 32 characters`)
      return value
    },
    list: (name: string): string[] =>
      (text(name) ?? '')
        .split(',')
        .map(part => part.trim())
        .filter(part => part !== ''),
    integer(name: string, fallback: number, min: number, max: number): number {
      const value = text(name)
      if (value === undefined) return fallback
      const number = Number(value)
      if (!Number.isInteger(number) || number < min || number > max)
        errors.push(`${name} must be a whole number from ${min} to ${max}, not "${value}"`)
      return number
    },
    choice<T extends string>(name: string, choices: readonly T[], fallback: T): T {
      const value = text(name) ?? fallback
      if (!choices.includes(value as T))
        errors.push(`${name} must be one of ${choices.join(', ')}, not "${value}"`)
      return value as T
    },
  }
}
