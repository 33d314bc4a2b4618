/** The three providers, and how an account of one is named: by what an inbox calls its external id. */
export type Channel = 'chatapp' | 'socialapp' | 'sms'

export interface AccountRef {
  channel: Channel
  /** phone number id (chatapp), account id (socialapp), phone number sid (sms) */
  account: string
}

export const toAccountKey = ({ channel, account }: AccountRef): string => `${channel}/${account}`
