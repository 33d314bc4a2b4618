/** Describes each kind of node, in German. The service describes them in English, in more detail. */
export const helpInGerman: Record<string, string> = {
  start:
    'Der erste Knoten jedes Durchlaufs, mit dem Auslöser und damit, wie oft ein Kontakt beginnt: einmal, nur einmal gleichzeitig, jedes Mal oder nach einer Weile erneut. Ein Chatbot ohne Auslöser beginnt mit jeder Nachricht, auf die kein Durchlauf wartet. „Verlassen, wenn“ beendet einen Durchlauf an jeder Stelle, sobald ein Ereignis eintrifft oder eine Bedingung erfüllt ist.',
  sendMessage:
    'Sendet eine Nachricht in der Unterhaltung des Durchlaufs, sonst in der neuesten des Kontakts, sonst in einer neuen. Bei geschlossenem Fenster oder einem abgemeldeten Kontakt wird nichts gesendet. Führt eine Verbindung von „fehlgeschlagen“ weg, wartet der Durchlauf auf die Zustellung, höchstens fünf Minuten.',
  ask: 'Stellt eine Frage, wartet auf die nächste Nachricht des Kunden und speichert sie in einer Variablen. Nach einer ungültigen Antwort wird erneut gefragt, so oft wie angegeben. Ohne „Aufgeben nach“ wartet der Durchlauf, solange die Unterhaltung offen ist.',
  menu: 'Bietet Optionen an und geht mit der gewählten weiter: als Schaltflächen oder Liste, wenn der Kanal sie hat, sonst nummeriert unter dem Text. Der Kunde wählt mit der Schaltfläche, dem Titel, der Nummer oder einem Stichwort. Jede Option ist ein Ausgang.',
  delay:
    'Wartet für eine Dauer, bis zu einem Datum oder bis zu einem Datumsfeld des Kontakts, auf Wunsch um Tage verschoben und zu einer Uhrzeit. Auf eine vergangene Zeit und auf ein leeres Feld wird nicht gewartet.',
  timeWindow:
    'Geht nur zu bestimmten Stunden weiter und wartet sonst, bis das Zeitfenster öffnet. Endet das Fenster nicht nach seinem Beginn, dauert es bis zum nächsten Tag.',
  waitFor:
    'Wartet auf ein Ereignis oder eine Bedingung; der erste Fall, der eintritt, bestimmt den Ausgang. Ein Ereignis ist ein eigenes, gesendet mit POST /events, oder eines des Dienstes wie message.received. Schlüssel und Eigenschaften des Ereignisses müssen mit den angegebenen übereinstimmen. Auf eine Bedingung, die schon erfüllt ist, wird nicht gewartet.',
  branch:
    'Geht auf einem von mehreren Wegen weiter: auf dem des ersten Falls, der zutrifft, sonst bei „sonst“. Ein Fall ist ein Kontaktfilter oder ein Ausdruck.',
  split:
    'Verteilt Kontakte zufällig auf die Ausgänge, im Verhältnis der Anteile. Derselbe Kontakt nimmt immer denselben Ausgang, auch in späteren Durchläufen.',
  addTag: 'Gibt dem Kontakt ein Tag. Hat er es schon, geschieht nichts.',
  removeTag: 'Nimmt dem Kontakt ein Tag. Hat er es nicht, geschieht nichts.',
  setField:
    'Setzt ein Feld des Kontakts. Der Wert kann Platzhalter wie {{variables.answer}} enthalten; ein leerer Text leert das Feld. Passt der Wert nicht zum Feld, scheitert der Schritt.',
  setVariable:
    'Speichert einen Wert in einer Variablen des Durchlaufs: einen Text oder JSON mit Platzhaltern oder das Ergebnis eines Ausdrucks. Spätere Knoten lesen sie als {{variables.name}}.',
  setOptOut:
    'Meldet den Kontakt für einen Kanal an oder ab. An einen abgemeldeten Kontakt kann auf diesem Kanal niemand Nachrichten senden.',
  assign:
    'Weist die Unterhaltung einem Benutzer, einem Team oder einem Mitglied des Teams zu: der Reihe nach oder dem am wenigsten ausgelasteten. Deaktivierte Benutzer werden übergangen. Ist niemand verfügbar, geht der Durchlauf weiter und vermerkt den Grund.',
  handoff:
    'Übergibt die Unterhaltung an Personen: an das Team, sonst an das des Posteingangs. Danach sendet der Bot nichts mehr.',
  closeConversation:
    'Schließt die Unterhaltung des Durchlaufs, sonst die neueste des Kontakts. Ist sie schon geschlossen, geschieht nichts.',
  note: 'Schreibt eine Notiz in das Protokoll des Durchlaufs. Der Kunde sieht sie nie.',
  http: 'Sendet eine HTTP-Anfrage an eine öffentliche Adresse. Platzhalter in Adresse, Kopfzeilen und Inhalt werden passend kodiert; {{secrets.name}} in Adresse und Kopfzeilen ist ein Geheimnis. Die Variable enthält danach status und body oder, ohne Antwort, error.',
  emitEvent:
    'Löst ein eigenes Ereignis für den Kontakt aus, wie POST /events: Es startet Journeys mit diesem Auslöser und weckt Durchläufe, die darauf warten.',
  callWorkflow:
    'Startet eine andere, aktive Journey für den Kontakt; sie liest die Daten als event.data. Auf Wunsch geht dieser Durchlauf erst weiter, wenn sie beendet ist.',
  jump: 'Geht bei einem anderen Knoten weiter, höchstens so oft wie angegeben (sonst zehnmal); danach nimmt der Durchlauf den Ausgang „weiter“.',
  goal: 'Vermerkt, dass der Durchlauf sein Ziel erreicht hat. Er endet hier, wenn keine Verbindung vom Knoten wegführt.',
  end: 'Der Durchlauf endet hier. Ein Ausgang ohne Verbindung beendet ihn ebenso; dieser Knoten sagt, dass es so gemeint ist.',
}
