import { byCallback, byResponse, type FailureMode, type FailureReport } from '../failure-modes.ts'
import { GraphError } from '../graph/graph.ts'

const errorTexts: Record<number, [title: string, details: string]> = {
  1: ['An unknown error occurred', 'Invalid request or possible server error'],
  4: ['Application request limit reached', 'The app has reached its API call rate limit'],
  100: ['Invalid parameter', 'The request includes one or more unsupported or misspelled parameters'],
  130429: ['Rate limit hit', 'Cloud API message throughput has been reached'],
  130497: [
    'Business account is restricted from messaging users in this country',
    'The recipient is in a country this business may not message',
  ],
  131000: ['Something went wrong', 'Message failed to send due to an unknown error'],
  131008: ['Required parameter is missing', 'The request is missing a required parameter'],
  131009: ['Parameter value is not valid', 'One or more parameter values are invalid'],
  131016: ['Service unavailable', 'A service is temporarily unavailable'],
  131021: ['Recipient cannot be sender', 'Sender and recipient phone number is the same'],
  131026: ['Message undeliverable', 'The recipient cannot receive this message'],
  131031: ['Business Account locked', 'The account is restricted or disabled for a violation of policy'],
  131042: ['Business eligibility payment issue', 'There was an error related to the payment method'],
  131047: [
    'Re-engagement message',
    'More than 24 hours have passed since the customer last replied to this number',
  ],
  131048: ['Spam rate limit hit', 'Too many messages from this number were blocked or flagged as spam'],
  131049: [
    'This message was not delivered to maintain healthy ecosystem engagement',
    'The recipient has received as many marketing messages as they may',
  ],
  131050: ['User has stopped marketing messages', 'The recipient chose to stop receiving marketing messages'],
  131051: ['Message type unknown', 'Message type is not currently supported'],
  131053: ['Media upload error', 'The media could not be downloaded or is of an unsupported type'],
  131056: ['(Business Account, Consumer Account) pair rate limit hit', 'Too many messages to this recipient'],
  131057: ['Account in maintenance mode', 'The business account is being upgraded'],
  132000: ['Number of parameters does not match the expected number of params', ''],
  132001: ['Template name does not exist in the translation', ''],
  132012: ['Parameter format does not match format in the created template', ''],
  132015: ['Template is paused', 'The template is paused due to low quality'],
  132016: ['Template is disabled', 'The template was paused too often and is disabled'],
  133010: ['Phone number not registered', 'The number is not registered with the platform'],
  132018: ['Template parameters are not valid', ''],
}

export function chatError(code: number, details?: string, status?: number): GraphError {
  const [title, defaultDetails] = errorTexts[code] ?? ['Error', '']
  return new GraphError(code, title, { details: details ?? defaultDetails, status })
}

/** Returns the error object of a status callback. */
export function toCallbackError(code: number): Record<string, unknown> {
  const [title, details] = errorTexts[code] ?? ['Error', '']
  return {
    code,
    title,
    message: title,
    error_data: { details },
    href: 'https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/',
  }
}

export const failureReports: Record<FailureMode, FailureReport> = {
  invalidRecipient: byResponse(131009),
  unroutable: byCallback(131026),
  notPermitted: byCallback(130497),
  optedOut: byCallback(131050),
  notMobile: byCallback(131026),
  undeliverable: byCallback(131026),
  filtered: byCallback(131049),
  windowClosed: byCallback(131047),
  rateLimited: byResponse(130429),
  pairLimited: byResponse(131056),
  appLimited: byResponse(4),
  spamLimited: byResponse(131048),
  queueFull: byResponse(131016),
  tokenExpired: byResponse(190),
  serverError: byResponse(131000),
  maintenance: byResponse(131057),
  accountLocked: byResponse(131031),
  paymentIssue: byCallback(131042),
}
