/** A language with sentences for posts. None of their characters needs escaping in HTML. */
export interface SampleLanguage {
  language: string
  /** How many in a hundred people speak so. */
  share: number
  sentences: readonly string[]
}

export const SAMPLE_LANGUAGES: readonly SampleLanguage[] = [
  {
    language: 'en',
    share: 50,
    sentences: [
      'The kettle is on and the rain has decided to stay.',
      'Planted three rows of beans before breakfast.',
      'Does anybody know a good book about lighthouses?',
      'Fixed the squeaky hinge; now the silence is louder.',
      'Saw two kingfishers by the old mill today.',
      'The night train was late, and nobody minded.',
      'I keep a list of words that sound like weather.',
      'Today’s loaf came out better than it had any right to.',
      'Nine hours of sleep, highly recommended.',
      'The museum has a whole room of broken clocks.',
      'Learning to draw hands. They are all mittens so far.',
      'My neighbour lent me a ladder and a theory about pigeons.',
      'Fog over the harbour, every mast a pencil line.',
      'Wrote a small program that names clouds.',
      'It is marmalade season and I regret nothing.',
      'The choir needs one more alto and a working radiator.',
    ],
  },
  {
    language: 'de',
    share: 10,
    sentences: [
      'Der Zug hält heute auf freier Strecke, die Kühe schauen zu.',
      'Heute habe ich endlich das Fahrrad geputzt.',
      'Wer hat noch Quitten übrig?',
      'Im Garten blüht die letzte Rose des Jahres.',
      'Ein Spaziergang im Nebel ordnet die Gedanken.',
      'Die Bibliothek hat sonntags offen, ein kleines Wunder.',
    ],
  },
  {
    language: 'es',
    share: 10,
    sentences: [
      'Hoy el mar amaneció color de plomo.',
      'He vuelto a encender la radio de mi abuela.',
      '¿Alguien sabe dónde venden hilo de lino?',
      'La plaza huele a pan desde las seis.',
      'Tres páginas escritas y ninguna sobra.',
      'El gato ha decidido que la silla es suya.',
    ],
  },
  {
    language: 'fr',
    share: 8,
    sentences: [
      'Le marché du samedi, et déjà les premières poires.',
      'Quelqu’un a vu les étoiles filantes cette nuit ?',
      'J’ai réparé la vieille lampe du couloir.',
      'Il neige sur les toits et le chien n’en revient pas.',
      'Un café, un carnet, et la matinée s’ouvre.',
    ],
  },
  {
    language: 'ja',
    share: 8,
    sentences: [
      '今朝は霧が深くて、橋が途中で消えていた。',
      '新しい茶碗が届いた。手になじむ。',
      '駅前の古本屋で地図を三枚買った。',
      '猫が窓辺で天気予報をしている。',
      '味噌汁に生姜を入れたら正解だった。',
    ],
  },
  {
    language: 'ru',
    share: 6,
    sentences: [
      'Первый снег, и во дворе сразу стало тихо.',
      'Починил велосипед, теперь он снова поёт.',
      'Кто знает хорошую книгу о маяках?',
      'Сегодня варили яблочное варенье до полуночи.',
    ],
  },
  {
    language: 'ar',
    share: 4,
    sentences: [
      'القهوة جاهزة والمطر لم يتوقف منذ الفجر.',
      'وجدت في السوق كتابا قديما عن النجوم.',
      'من يعرف طريقا هادئا إلى البحر؟',
    ],
  },
  {
    language: 'hi',
    share: 4,
    sentences: [
      'आज बारिश के बाद आसमान बिल्कुल साफ़ है।',
      'पुरानी किताबों की दुकान में एक नक्शा मिला।',
      'चाय तैयार है, कौन आ रहा है?',
    ],
  },
]

export const TAGS: readonly string[] = [
  'birds',
  'bread',
  'rain',
  'trains',
  'books',
  'garden',
  'lighthouse',
  'music',
  'maps',
  'tea',
  'clouds',
  'repair',
  'drawing',
  'walks',
  'harbour',
  'clocks',
  'winter',
  'kitchen',
  'cats',
  'stars',
]

export const FIRST_NAMES: readonly string[] =
  'Ada Bela Cleo Dario Edda Femi Goran Hana Ines Jonas Kaori Lior Mara Nils Odile Pavel Rosa Samir Tove Yara'.split(' ')
export const LAST_NAMES: readonly string[] =
  'Alder Birch Cairn Dell Ember Fenn Grove Heath Isle Juniper Knoll Larch Marsh North Oak Pine Quay Reed Stone Thorne'.split(
    ' ',
  )
