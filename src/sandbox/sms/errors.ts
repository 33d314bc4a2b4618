import { byCallback, byResponse, type FailureMode, type FailureReport } from '../failure-modes.ts'
import type { HttpResponse } from '../http/server.ts'

const errorTexts: Record<number, string> = {
  11200: 'HTTP retrieval failure',
  20003: 'Authenticate',
  20404: 'The requested resource was not found',
  20429: 'Too Many Requests',
  20500: 'Internal Server Error',
  20503: 'Service Unavailable',
  21211: "The 'To' number is not a valid phone number.",
  21212: "The 'From' number is not a valid phone number, shortcode, or alphanumeric sender ID.",
  21266: "'To' and 'From' number cannot be the same",
  21408: "Permission to send an SMS has not been enabled for the region indicated by the 'To' number.",
  21602: 'Message body is required.',
  21603: "A 'From' phone number is required.",
  21604: "A 'To' phone number is required.",
  21606: "The 'From' phone number provided is not a valid message-capable phone number for this account.",
  21609: "The 'StatusCallback' URL is not a valid URL.",
  21610: 'Attempt to send to unsubscribed recipient',
  21611: "This 'From' number has exceeded the maximum number of queued messages",
  21612: "Message cannot be sent with the current combination of 'To' and 'From' parameters",
  21614: "'To' number is not a valid mobile number",
  21617: 'The concatenated message body exceeds the 1600 character limit.',
  21623: 'Number of media files exceeds allowed limit',
  30001: 'Queue overflow',
  30002: 'Account suspended',
  30003: 'Unreachable destination handset',
  30004: 'Message blocked',
  30005: 'Unknown destination handset',
  30007: 'Message filtered',
}

const statuses: Record<number, number> = { 20003: 401, 20404: 404, 20429: 429, 20500: 500, 20503: 503 }

export const getErrorText = (code: number): string => errorTexts[code] ?? 'Error'

export class SmsError extends Error {
  readonly code: number
  readonly status: number

  constructor(code: number, message?: string, status?: number) {
    super(message ?? getErrorText(code))
    this.code = code
    this.status = status ?? statuses[code] ?? 400
  }

  toResponse(): HttpResponse {
    const { code, message, status } = this
    const json = { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status }
    return { status, json, ...(status === 429 ? { headers: { 'retry-after': '1' } } : {}) }
  }
}

export const failureReports: Partial<Record<FailureMode, FailureReport>> = {
  invalidRecipient: byResponse(21211),
  unroutable: byResponse(21612),
  notPermitted: byResponse(21408),
  optedOut: byResponse(21610),
  notMobile: byResponse(21614),
  undeliverable: byCallback(30003),
  filtered: byCallback(30007),
  rateLimited: byResponse(20429),
  pairLimited: byResponse(20429),
  appLimited: byResponse(20429),
  spamLimited: byCallback(30004),
  queueFull: byResponse(21611),
  tokenExpired: byResponse(20003),
  serverError: byResponse(20500),
  maintenance: byResponse(20503),
  accountLocked: byResponse(20003),
  paymentIssue: byCallback(30002),
}
