/** Texts for the entries in the timeline of a message, by type. */
import { screenTexts } from '../../../i18n/i18n.ts'

const en = {
  types: {
    accepted: 'Accepted',
    pending: 'Accepted',
    sent: 'Sent',
    delivered: 'Delivered',
    read: 'Read',
    failed: 'Failed',
    received: 'Received',
    send_permanent: 'Refused by the provider',
    send_retryable: 'Error of the provider, tried again',
    send_rate_limited: 'The provider limits the rate, tried again later',
    send_auth: 'The provider rejects the token, waits for another one',
    send_uncertain: 'No clear answer of the provider, looked up before another attempt',
    sent_again: 'Sent again: no sign that the provider had accepted it',
    retried: 'Repeated by hand',
    cancelled: 'Cancelled',
    edited: 'Edited',
    deleted: 'Deleted',
  } as Record<string, string>,
  providerId: 'Id at the provider',
  by: 'by',
}

const de: typeof en = {
  types: {
    accepted: 'Angenommen',
    pending: 'Angenommen',
    sent: 'Gesendet',
    delivered: 'Zugestellt',
    read: 'Gelesen',
    failed: 'Fehlgeschlagen',
    received: 'Empfangen',
    send_permanent: 'Vom Anbieter abgelehnt',
    send_retryable: 'Fehler des Anbieters, noch einmal versucht',
    send_rate_limited: 'Der Anbieter begrenzt die Rate, später noch einmal versucht',
    send_auth: 'Der Anbieter lehnt das Token ab, wartet auf ein anderes',
    send_uncertain: 'Keine klare Antwort des Anbieters, vor einem weiteren Versuch nachgesehen',
    sent_again: 'Noch einmal gesendet: kein Zeichen, dass der Anbieter sie angenommen hatte',
    retried: 'Von Hand wiederholt',
    cancelled: 'Abgebrochen',
    edited: 'Bearbeitet',
    deleted: 'Gelöscht',
  },
  providerId: 'Kennung beim Anbieter',
  by: 'von',
}

export const texts = screenTexts(en, de)
