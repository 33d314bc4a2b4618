/** Describes the page around the frame, in values that the service accepts. */
import type { PageState } from '../protocol.ts'

export interface Visit {
  locale: string
  /** Empty: not known. */
  page: string
  referrer: string
}

const maxAddressLength = 2000

export function describeVisit({ locale, page, referrer }: PageState): Visit {
  const tag = locale.replaceAll('_', '-')
  return {
    locale: /^[a-z\d-]{2,35}$/i.test(tag) ? tag : 'en',
    page: toWebAddress(page),
    referrer: toWebAddress(referrer),
  }
}

/** Apps are referrers, too, such as `android-app://org.example`. */
const toWebAddress = (address: string) =>
  /^https?:\/\//.test(address) ? address.slice(0, maxAddressLength) : ''
