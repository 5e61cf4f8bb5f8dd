/** Posts of kinds that the residents' own do not show. */
export interface Extra {
  by: string
  text: string
  spoilerText?: string
  visibility?: 'public' | 'unlisted' | 'private' | 'direct'
  sensitive?: boolean
  /** Descriptions of its pictures. */
  pictures?: readonly string[]
  /** Goes on under the post before it in this list. */
  threaded?: boolean
  localOnly?: boolean
  /** What it says after it was edited. */
  editedTo?: string
}

const LONG = `What I learned from twenty years behind the counter: people do not come for bread alone. They come for the second sentence. The first is always the weather. The second may be a birth, a broken boiler, a poem. You hand over the loaf, you wait, and there it is, warm as the crust. Nobody pays for it and nobody could. So if you ever open a shop, whatever it sells, leave a gap after the first sentence. Most of what is good in this town has come in through that gap. #bread`

export const EXTRAS: readonly Extra[] = [
  { by: 'mabel', text: LONG },
  {
    by: 'clement',
    text: 'C’était le jardinier. Enfin, le fils du jardinier. Je n’en dors plus.',
    spoilerText: 'la fin du roman de cette semaine',
  },
  {
    by: 'juno',
    text: 'It is a very large spider and it lives in the dome now. We have an agreement.',
    spoilerText: 'spider, with picture',
    sensitive: true,
    pictures: ['A brown spider as large as a hand beside the rim of a telescope'],
  },
  {
    by: 'greta',
    text: 'Der Finger ist noch dran, die Feder ist wieder drin.',
    sensitive: true,
    pictures: ['Eine verbundene Hand hält eine Uhrfeder'],
  },
  { by: 'juno', text: '1/ A short thread on how to find your way in the night sky without any device. #stars' },
  {
    by: 'juno',
    threaded: true,
    text: '2/ Find the Plough. Everybody can. Follow the two stars at its end upwards, five times their distance.',
    visibility: 'unlisted',
  },
  {
    by: 'juno',
    text: '3/ That is the Pole Star. It is not bright. It is only reliable.',
    threaded: true,
    visibility: 'unlisted',
  },
  { by: 'juno', text: '4/ Now turn around. The south is behind you, and so is your way home. #stars', threaded: true },
  { by: 'otis', text: '🚲🔔🐐 … 🥕❓🏃💨' },
  { by: 'siriporn', text: '🥭🍡☔️🐈' },
  {
    by: 'theo',
    text: 'For those who follow me only: the map of the cellars will be ready on Friday.',
    visibility: 'private',
  },
  {
    by: 'lucia',
    text: 'Solo para amigos: no sé tocar la canción del sábado. Que no se entere nadie.',
    visibility: 'private',
  },
  { by: 'wren', text: '@mabel the usual for Saturday? Eleven rolls, and one for Gerald.', visibility: 'direct' },
  { by: 'mabel', text: '@wren eleven rolls, noted. Gerald says thank you.', visibility: 'direct', threaded: true },
  { by: 'amal', text: '@yael هل ما زالت الرسالة معك؟', visibility: 'direct' },
  {
    by: 'wren',
    text: 'New on this server: https://example.org/notes/2026/a-longer-address-that-nobody-reads-to-its-end?from=here and the rest at https://example.org',
  },
  {
    by: 'wren',
    text: 'This one stays in the house: the key is under the third flowerpot. Metaphorically.',
    localOnly: true,
  },
  {
    by: 'zofia',
    text: 'Jutro sprawdzian z ułamków. Będzie dobże.',
    editedTo: 'Jutro sprawdzian z ułamków. Będzie dobrze. (Ortografia też.)',
  },
  {
    by: 'haruka',
    text: '四枚の皿、四つの空。 #陶芸',
    pictures: ['夜明けの色の皿', '正午の青い皿', '夕焼けの皿', '夜の藍色の皿'],
  },
  { by: 'yael', text: 'שלום @amal, المكتوب عندي, and it smells of the sea. עברית, عربي, English: הכול בשורה אחת.' },
  {
    by: 'dmitri',
    text: 'Частоты на этой неделе:\n\n7.120 — прибой\n9.640 — скрипка\n11.905 — чей-то чайник\n\n#радио',
  },
  { by: 'ingrid', text: 'Tips: hvis du roper «kaffe» ut mot havet, kommer det alltid noen.', visibility: 'unlisted' },
]

/** Short answers that fit to almost anything, by language; the rest answers in English. */
export const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  en: [
    'This made my morning.',
    'I would like to subscribe to this.',
    'Say more?',
    'I have questions, but they can wait.',
    'My uncle had one of those. He never spoke of it.',
    'Agreed, with one exception, which I will take to the grave.',
    'Saving this for a rainy day. So: for today.',
    'Ha!',
    'Can I come and see?',
    'There is a word for this, but I have lent it to somebody.',
  ],
  de: ['Herrlich.', 'Davon brauche ich ein Bild.', 'Ich komme morgen vorbei!'],
  fr: ['Quelle merveille.', 'J’en veux encore.', 'On en reparle samedi ?'],
  es: ['¡Qué maravilla!', 'Guárdame un poco.', 'Eso me suena.'],
  pt: ['Que beleza.', 'Amanhã passo por aí.'],
  it: ['Perfetto.', 'Questa me la segno.'],
  ja: ['いいですね。', '見に行きたい。', 'わかります。'],
  ru: ['Прекрасно.', 'Расскажите ещё!'],
  ar: ['ما أجمل هذا.', 'ننتظر البقية.'],
  he: ['איזה יופי!', 'ספרי עוד.'],
}

/** What pictures show, where nobody says it better. Every fourth has no description, as in life. */
export const DESCRIPTIONS: readonly string[] = [
  'Hills one behind another under a wide sky',
  'A landscape in a few flat colours, with round suns',
  'Waves of colour, as if seen from a train',
  '',
]
