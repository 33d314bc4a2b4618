/** Phone numbers that nobody has: the same for the same name, in the range kept free for fiction. */
import { hashDigits } from './identifiers.ts'

const areaCodes = ['212', '305', '312', '415', '512', '617', '702', '713', '808', '916']

export function fictionalNumber(name: string, areaCode?: string): string {
  const digits = hashDigits(`number/${name}`, 5)
  return `+1${areaCode ?? areaCodes[Number(digits[0])]}555${digits.slice(1)}`
}
