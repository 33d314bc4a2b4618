/** Text as it is compared: addresses and names that differ by case or by the form of an accent only are the same. */
export function normalize(text: string): string {
  return text.toLowerCase().normalize('NFC')
}
