import { GERMAN_ADMINISTRATION } from './administration/german.ts'
import type { ErrorTexts } from './error-texts.ts'

export const GERMAN: ErrorTexts = {
  validationFailed: 'Überprüfung fehlgeschlagen: {0}',
  messages: {
    'Record not found': 'Der Eintrag wurde nicht gefunden',
    'Bad request': 'Die Anfrage ist ungültig',
    'The access token is invalid': 'Das Zugangstoken ist ungültig',
    'The access token was revoked': 'Das Zugangstoken wurde widerrufen',
    'This action is not allowed': 'Diese Aktion ist nicht erlaubt',
    'This action is outside the authorized scopes': 'Diese Aktion liegt außerhalb der erteilten Berechtigungen',
    'This method requires an authenticated user': 'Dafür ist eine Anmeldung nötig',
    'Your login is missing a confirmed e-mail address': 'Deine E-Mail-Adresse ist noch nicht bestätigt',
    'Your login is currently pending approval': 'Dein Konto wartet noch auf Freigabe',
    'Your login is currently disabled': 'Dein Konto ist zurzeit deaktiviert',
    'Conflict during update, please try again': 'Der Eintrag wurde inzwischen geändert, bitte versuche es noch einmal',
    Gone: 'Nicht mehr vorhanden',
    'Request body is too large': 'Die Anfrage ist zu groß',
    'Too many requests': 'Zu viele Anfragen',
    'There was a temporary problem serving your request, please try again':
      'Die Anfrage konnte gerade nicht bearbeitet werden, bitte versuche es noch einmal',
    'There is no room left to store the file': 'Für die Datei ist kein Speicherplatz mehr frei',
    'An unexpected error occurred': 'Es ist ein unerwarteter Fehler aufgetreten',
    'Duplicate record': 'Diesen Eintrag gibt es schon',
    'The post you are trying to reply to does not appear to exist.':
      'Den Beitrag, auf den du antworten möchtest, gibt es nicht.',
    'The post you are trying to quote does not appear to exist.':
      'Den Beitrag, den du zitieren möchtest, gibt es nicht.',
    'Following your own account is not allowed': 'Du kannst dir nicht selbst folgen',
    'You have reached the maximum number of lists': 'Du hast die Höchstzahl an Listen erreicht',
    'You cannot have more than {0} filters': 'Du kannst höchstens {0} Filter haben',
    'You cannot follow more than {0} people': 'Du kannst höchstens {0} Konten folgen',
    'Cannot attach more than {0} files': 'Es können höchstens {0} Dateien angehängt werden',
    'Cannot attach a video to a post that already contains images':
      'Ein Video kann nicht zusammen mit Bildern angehängt werden',
    'Cannot attach files that have not finished processing. Try again in a moment!':
      'Die Dateien werden noch verarbeitet. Versuche es gleich noch einmal!',
    'Media attachment is currently used by a status': 'Die Datei wird von einem Beitrag verwendet',
    'Error processing thumbnail for uploaded media': 'Das Vorschaubild konnte nicht verarbeitet werden',
    'One of the scopes is unknown': 'Eine der Berechtigungen ist unbekannt',
    'param is missing or the value is empty or invalid: {0}': 'Der Parameter fehlt oder ist leer oder ungültig: {0}',
    'This method is only available while the e-mail is awaiting confirmation':
      'Das geht nur, solange die E-Mail-Adresse nicht bestätigt ist',
    'The search takes too long; use more specific words':
      'Die Suche dauert zu lange; beschreibe genauer, was du suchst',
    "Validation failed: Someone else's post cannot be pinned":
      'Überprüfung fehlgeschlagen: Beiträge anderer können nicht angeheftet werden',
    'Validation failed: A boost cannot be pinned':
      'Überprüfung fehlgeschlagen: Ein geteilter Beitrag kann nicht angeheftet werden',
    'Validation failed: Posts that are only visible to mentioned users cannot be pinned':
      'Überprüfung fehlgeschlagen: Beiträge, die nur erwähnte Konten sehen, können nicht angeheftet werden',
    'Validation failed: You have already pinned the maximum number of posts':
      'Überprüfung fehlgeschlagen: Du hast bereits die Höchstzahl an Beiträgen angeheftet',
    'Validation failed: The poll has already ended': 'Überprüfung fehlgeschlagen: Die Umfrage ist bereits beendet',
    'Validation failed: You have already voted on this poll':
      'Überprüfung fehlgeschlagen: Du hast bei dieser Umfrage schon abgestimmt',
    'Validation failed: You must be already following the person you want to endorse':
      'Überprüfung fehlgeschlagen: Du musst dem Konto folgen, das du empfehlen möchtest',
    'Validation failed: Name is not a recognized emoji': 'Überprüfung fehlgeschlagen: Das ist kein bekanntes Emoji',
    'Validation failed: Limit of different reactions reached':
      'Überprüfung fehlgeschlagen: Mehr verschiedene Reaktionen sind nicht möglich',
    'Validation failed: No more than {0} hashtags can be featured':
      'Überprüfung fehlgeschlagen: Es können höchstens {0} Hashtags hervorgehoben werden',
    'Validation failed: File is damaged or incomplete':
      'Überprüfung fehlgeschlagen: Die Datei ist beschädigt oder unvollständig',
    'Validation failed: File {0} images are not supported':
      'Überprüfung fehlgeschlagen: Bilder mit {0} Pixeln werden nicht unterstützt',
    'Validation failed: File {0} animations are not supported':
      'Überprüfung fehlgeschlagen: Animationen mit {0} Pixeln werden nicht unterstützt',
    'Validation failed: File {0} GIF files are not supported':
      'Überprüfung fehlgeschlagen: GIF-Dateien mit {0} Pixeln werden nicht unterstützt',
    'File type of uploaded media could not be verified': 'Der Dateityp wird nicht unterstützt',
    'HEIC pictures are not supported: send them as JPEG': 'HEIC-Bilder werden nicht unterstützt: Wandle sie in JPEG um',
    '"{0}" is not a day, as 2026-12-31 is one': '„{0}“ ist kein Datum wie 2026-12-31',
    'Invalid date supplied': 'Das Datum ist ungültig',
    "Invalid value for 'expand_accounts': '{0}', allowed values are 'full' and 'partial_avatars'":
      '„{0}“ ist kein gültiger Wert von expand_accounts; zulässig sind „full“ und „partial_avatars“',
    'Media {0} not found or already attached to another post':
      'Die Medien {0} gibt es nicht, oder sie gehören schon zu einem anderen Beitrag',
    'Post would be sent to unexpected accounts': 'Der Beitrag würde an unerwartete Konten gesendet',
    'The content type is not supported': 'Der Inhaltstyp wird nicht unterstützt',
    'The other server did not give the file': 'Der andere Server hat die Datei nicht geliefert',
    'The request can not be answered': 'Die Anfrage kann nicht beantwortet werden',
    'The request holds a value that can not be stored':
      'Die Anfrage enthält einen Wert, der nicht gespeichert werden kann',
    'The requested range is outside the file': 'Der angefragte Bereich liegt außerhalb der Datei',
    'The service that translates does not answer at the moment, please try again later':
      'Der Übersetzungsdienst antwortet gerade nicht, bitte versuche es später noch einmal',
    'Too much is being translated at the moment, please try again later':
      'Zurzeit wird zu viel übersetzt, bitte versuche es später noch einmal',
    'What this server may have translated is used up for now':
      'Das Übersetzungskontingent dieses Servers ist vorerst aufgebraucht',
    'There was a problem in the JSON you submitted': 'Das gesendete JSON ist fehlerhaft',
    'There was a problem in the form you submitted': 'Das gesendete Formular ist fehlerhaft',
    'These parameters belong to a filter with several keywords; change it by a newer client':
      'Diese Angaben gehören zu einem Filter mit mehreren Stichwörtern; ändere ihn mit einer neueren App',
    'This invite is not valid': 'Diese Einladung ist nicht gültig',
    'This method is only available to the application the user originally signed-up with':
      'Das geht nur mit der App, mit der das Konto registriert wurde',
    'This method requires an client credentials authentication':
      'Dafür ist eine Anmeldung der App selbst nötig (Client Credentials)',
    'This page has expired. Please go back, reload it, and try again.':
      'Diese Seite ist abgelaufen. Bitte gehe zurück, lade sie neu und versuche es noch einmal.',
    'This parameter does not take a file': 'Dieser Parameter nimmt keine Datei an',
    'Too many accounts were created today, please try again tomorrow':
      'Heute wurden zu viele Konten erstellt, bitte versuche es morgen noch einmal',
    'You cannot have more than {0} active invites': 'Du kannst höchstens {0} aktive Einladungen haben',
    'Your account requires two-factor authentication': 'Dein Konto verlangt Zwei-Faktor-Authentisierung',
    'Your current password is required to change the e-mail address: use the account settings':
      'Für eine Änderung der E-Mail-Adresse ist dein Passwort nötig: Nutze die Kontoeinstellungen',
    'Your filters cannot have more than {0} keywords with {1} characters together':
      'Deine Filter können zusammen höchstens {0} Stichwörter mit {1} Zeichen haben',
    'Your filters cannot have more than {0} posts together':
      'Deine Filter können zusammen höchstens {0} Beiträge haben',
    '`account_id` parameter is missing': 'Der Parameter account_id fehlt',
    'Validation failed: The chosen vote option does not exist':
      'Überprüfung fehlgeschlagen: Diese Auswahlmöglichkeit gibt es nicht',
    'Validation failed: You cannot vote in your own polls':
      'Überprüfung fehlgeschlagen: Du kannst bei deinen eigenen Umfragen nicht abstimmen',
    'Validation failed: File is a video or a sound, which this server does not take':
      'Überprüfung fehlgeschlagen: Videos und Tonaufnahmen nimmt dieser Server nicht an',
    'Validation failed: File is longer than {0} hours':
      'Überprüfung fehlgeschlagen: Die Datei ist länger als {0} Stunden',
    'Validation failed: File size must be less than {0} MB':
      'Überprüfung fehlgeschlagen: Die Datei muss kleiner als {0} MB sein',
    'Validation failed: File {0} frames are more than the {1} allowed':
      'Überprüfung fehlgeschlagen: {0} Bilder sind mehr als die zulässigen {1}',
    'Validation failed: File {0}fps videos are not supported':
      'Überprüfung fehlgeschlagen: Videos mit {0} Bildern pro Sekunde werden nicht unterstützt',
    'Validation failed: File {0} videos are not supported':
      'Überprüfung fehlgeschlagen: Videos mit {0} Pixeln werden nicht unterstützt',
    ...GERMAN_ADMINISTRATION.messages,
  },
  problems: {
    "can't be blank": 'darf nicht leer sein',
    'is invalid': 'ist ungültig',
    'is of an e-mail provider that is not allowed': 'gehört zu einem nicht zugelassenen E-Mail-Anbieter',
    'has already been taken': 'ist bereits vergeben',
    'is not included in the list': 'ist kein zulässiger Wert',
    'is too long (maximum is {0} characters)': 'ist zu lang (höchstens {0} Zeichen)',
    'is too short (minimum is {0} characters)': 'ist zu kurz (mindestens {0} Zeichen)',
    'character limit of {0} exceeded': 'überschreitet die Grenze von {0} Zeichen',
    'exceed the maximum of {0}': 'überschreiten die Höchstzahl von {0}',
    'must have more than one item': 'muss mehr als einen Eintrag haben',
    "can't contain more than {0} items": 'darf höchstens {0} Einträge haben',
    "can't be longer than {0} characters each": 'darf je Eintrag höchstens {0} Zeichen haben',
    'contain duplicate items': 'enthält doppelte Einträge',
    'is too far into the future': 'liegt zu weit in der Zukunft',
    'is too soon': 'liegt zu nah in der Zukunft',
    'is reserved': 'ist reserviert',
    'is not allowed': 'ist nicht erlaubt',
    'must be accepted': 'muss akzeptiert werden',
    'must contain only letters, numbers and underscores': 'darf nur Buchstaben, Ziffern und Unterstriche enthalten',
    'must have a label': 'braucht eine Beschriftung',
    'is not a valid URL': 'ist keine gültige URL',
    'does not reference valid rules': 'nennen eine unbekannte Regel',
    'contained a disallowed hashtag: {0}': 'enthält einen nicht erlaubten Hashtag: {0}',
    'contained the disallowed hashtags: {0}': 'enthält nicht erlaubte Hashtags: {0}',
    'is too long (maximum is {0} accounts)': 'darf höchstens {0} Konten enthalten',
    'are limited to {0} in a collection': 'dürfen in einer Sammlung höchstens {0} sein',
    'are limited to {0}': 'dürfen höchstens {0} sein',
    'is too long (maximum is {0} domains)': 'darf höchstens {0} Domains nennen',
    'holds “{0}”, which is not a domain': 'enthält „{0}“, das keine Domain ist',
    "doesn't match configured on the server.": 'enthält eine unbekannte Berechtigung',
    'must be an absolute URI.': 'muss ein absoluter URI sein',
    'is forbidden by the server.': 'ist von diesem Server nicht erlaubt',
    'cannot contain a fragment.': 'darf kein Fragment enthalten',
    'does not seem to exist': 'scheint es nicht zu geben',
    'is already on the list': 'ist schon auf der Liste',
    'must be a followed account': 'muss ein Konto sein, dem du folgst',
    'is below the age limit': 'liegt unter der Altersgrenze',
    'is not a public https address': 'ist keine öffentliche https-Adresse',
    'is not a public key of P-256': 'ist kein öffentlicher Schlüssel von P-256',
    'is not 16 bytes in Base64': 'muss aus 16 Bytes in Base64 bestehen',
    'is not an id': 'ist keine ID',
    'The scheduled date must be in the future': 'muss in der Zukunft liegen',
    'You have exceeded the limit of {0} scheduled posts': 'Du kannst höchstens {0} Beiträge planen',
    'You have exceeded the limit of {0} scheduled posts for that day':
      'Du kannst für diesen Tag höchstens {0} Beiträge planen',
    'A direct post has to mention whom it quotes':
      'Ein Beitrag, den nur erwähnte Konten sehen, muss erwähnen, wen er zitiert',
    'A post that stays on this server can not quote one of another server':
      'Ein Beitrag, der auf diesem Server bleibt, kann keinen eines anderen Servers zitieren',
    ...GERMAN_ADMINISTRATION.problems,
  },
  attributes: {
    text: 'Der Text',
    username: 'Der Benutzername',
    email: 'Die E-Mail-Adresse',
    password: 'Das Passwort',
    agreement: 'Die Zustimmung',
    reason: 'Der Grund',
    locale: 'Die Sprache',
    language: 'Die Sprache',
    title: 'Der Titel',
    name: 'Der Name',
    display_name: 'Der Anzeigename',
    note: 'Die Beschreibung des Profils',
    fields: 'Die Felder des Profils',
    options: 'Die Auswahl',
    expires_at: 'Das Ende',
    choices: 'Die Stimme',
    comment: 'Der Kommentar',
    description: 'Die Beschreibung',
    scheduled_at: 'Der Zeitpunkt',
    keyword: 'Das Stichwort',
    context: 'Der Ort des Filters',
    status: 'Der Beitrag',
    account: 'Das Konto',
    domain: 'Die Domain',
    privacy: 'Die Sichtbarkeit',
    visibility: 'Die Sichtbarkeit',
    file: 'Die Datei',
    accounts: 'Die Konten',
    account_ids: 'Die Liste der Konten',
    collections: 'Die Sammlungen',
    discoverable: 'Die Angabe der Auffindbarkeit',
    sensitive: 'Die Angabe heikler Inhalte',
    tag_name: 'Der Hashtag',
    rule_ids: 'Die Regeln',
    attribution_domains: 'Die Liste der Websites',
    avatar_description: 'Die Bildbeschreibung des Avatars',
    header_description: 'Die Bildbeschreibung des Titelbilds',
    date_of_birth: 'Das Geburtsdatum',
    endpoint: 'Die Adresse für Push-Mitteilungen',
    key_auth: 'Der Schlüssel „auth“',
    key_p256dh: 'Der Schlüssel „p256dh“',
    languages: 'Die Auswahl der Sprachen',
    last_read_id: 'Die Lesemarke',
    phrase: 'Das Stichwort',
    redirect_uri: 'Die Weiterleitungsadresse',
    scopes: 'Die Auswahl der Berechtigungen',
    website: 'Die Website',
    ...GERMAN_ADMINISTRATION.attributes,
  },
  otherAttribute: 'Das Feld „{0}“',
}
