/** A poll; `days` is the time from the post to the end of the poll. */
export interface DemoPoll {
  options: readonly string[]
  days: number
  multiple?: boolean
}

/** A post with features that the posts of the demo accounts lack. */
export interface SpecialPost {
  author: string
  /** The text, with images as in the posts of the demo accounts. */
  text: string
  /** The name by which another post refers to this one. */
  name?: string
  /** Default: the language of the author. */
  language?: string
  spoilerText?: string
  visibility?: 'public' | 'unlisted' | 'private' | 'direct'
  sensitive?: boolean
  poll?: DemoPoll
  /** The name of the quoted post, which precedes this one in the list. */
  quotes?: string
  /** Whether the post replies to the one before it in the list. */
  threaded?: boolean
  localOnly?: boolean
  /** The text after an edit. */
  editedTo?: string
}

const LONG = `What I learned from twenty years behind the counter: people do not come for bread alone. They come for the second sentence. The first is always the weather. The second may be a birth, a broken boiler, a poem. You hand over the loaf, you wait, and there it is, warm as the crust. Nobody pays for it and nobody could. So if you ever open a shop, whatever it sells, leave a gap after the first sentence. Most of what is good in this town has come in through that gap. #bread`

export const SPECIAL_POSTS: readonly SpecialPost[] = [
  { author: 'mabel', text: LONG },
  {
    author: 'clement',
    text: 'C’était le jardinier. Enfin, le fils du jardinier. Je n’en dors plus.',
    spoilerText: 'la fin du roman de cette semaine',
  },
  {
    author: 'juno',
    text: 'It is a very large spider and it lives in the dome now. We have an agreement. {spider: A brown spider beside the rim of a telescope, one leg on the glass}',
    spoilerText: 'spider, with picture',
    sensitive: true,
  },
  {
    author: 'greta',
    text: 'Der Finger ist noch dran, die Feder ist wieder drin. {clock: Die reparierte Uhr, zehn vor zwei}',
    sensitive: true,
  },
  { author: 'juno', text: '1/ A short thread on how to find your way in the night sky without any device. #stars' },
  {
    author: 'juno',
    threaded: true,
    text: '2/ Find the Plough. Everybody can. Follow the two stars at its end upwards, five times their distance.',
    visibility: 'unlisted',
  },
  {
    author: 'juno',
    text: '3/ That is the Pole Star. It is not bright. It is only reliable.',
    threaded: true,
    visibility: 'unlisted',
  },
  {
    author: 'juno',
    text: '4/ Now turn around. The south is behind you, and so is your way home. #stars',
    threaded: true,
  },
  { author: 'otis', text: '🚲🔔🐐 … 🥕❓🏃💨' },
  { author: 'siriporn', text: '🥭🍡☔️🐈' },
  {
    author: 'theo',
    text: 'For those who follow me only: the map of the cellars will be ready on Friday.',
    visibility: 'private',
  },
  {
    author: 'lucia',
    text: 'Solo para amigos: no sé tocar la canción del sábado. Que no se entere nadie.',
    visibility: 'private',
  },
  { author: 'wren', text: '@mabel the usual for Saturday? Eleven rolls, and one for Gerald.', visibility: 'direct' },
  { author: 'mabel', text: '@wren eleven rolls, noted. Gerald says thank you.', visibility: 'direct', threaded: true },
  {
    author: 'wren',
    text: '@juno @mabel plan for Saturday: telescope on the roof at nine, bread at ten. Who brings blankets?',
    visibility: 'direct',
  },
  { author: 'juno', text: '@wren @mabel I do. Kepler brings himself.', visibility: 'direct', threaded: true },
  {
    author: 'mabel',
    text: '@juno @wren and I bring the plum cake, if Gerald allows it.',
    visibility: 'direct',
    threaded: true,
  },
  { author: 'amal', text: '@yael هل ما زالت الرسالة معك؟', visibility: 'direct' },
  {
    author: 'wren',
    text: 'New on this server: https://example.org/notes/2026/a-longer-address-that-nobody-reads-to-its-end?from=here and the rest at https://example.org',
  },
  {
    author: 'wren',
    text: 'This one stays in the house: the key is under the third flowerpot. Metaphorically.',
    localOnly: true,
  },
  {
    author: 'zofia',
    text: 'Jutro sprawdzian z ułamków. Będzie dobże.',
    editedTo: 'Jutro sprawdzian z ułamków. Będzie dobrze. (Ortografia też.)',
  },
  {
    author: 'haruka',
    text: '四枚の皿、四つの空。 #陶芸 {plate: 夜明けの空をうつした丸い皿} {plate: 正午の空をうつした丸い皿} {plate: 夕焼けの空をうつした丸い皿} {plate: 夜の空をうつした丸い皿}',
  },
  { author: 'yael', text: 'שלום @amal, المكتوب عندي, and it smells of the sea. עברית, عربي, English: הכול בשורה אחת.' },
  {
    author: 'dmitri',
    text: 'Частоты на этой неделе:\n\n7.120 — прибой\n9.640 — скрипка\n11.905 — чей-то чайник\n\n#радио',
  },
  {
    author: 'ingrid',
    text: 'Tips: hvis du roper «kaffe» ut mot havet, kommer det alltid noen.',
    visibility: 'unlisted',
  },
  {
    author: 'mabel',
    name: 'saturday bread',
    text: 'Saturday: one big loaf for all. Which shall it be? #bread',
    poll: { options: ['Rye, dense as ever', 'Wheat with walnuts', 'Potato bread', 'Whatever Gerald wants'], days: 14 },
  },
  {
    author: 'minjun',
    text: '도서관 밤 개방일, 언제가 좋을까요? 여러 개 골라도 됩니다.',
    poll: { options: ['금요일', '토요일', '일요일'], days: 0.5, multiple: true },
  },
  {
    author: 'yael',
    text: 'מה לשתול בפינה הריקה של הגג?',
    poll: { options: ['תות', 'נענע', 'עוד עגבניות'], days: 13 },
  },
  {
    author: 'otis',
    text: 'I vote for the last one. One does not argue with a sourdough.',
    quotes: 'saturday bread',
  },
  {
    author: 'juno',
    name: 'saturday stars',
    text: 'Saturday will be clear. Roof opens at nine; look up before you look through. #stars {night: A starry sky with a crescent moon above dark hills}',
  },
  { author: 'wren', text: 'This is the best invitation that I will get all year.', quotes: 'saturday stars' },
  { author: 'amal', text: 'سأكتب رسالة إلى زحل وأحضرها معي.', quotes: 'saturday stars' },
]
