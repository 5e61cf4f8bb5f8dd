/** Short replies that suit almost any post, by language. Replies to posts in other languages are in English. */
export const SAMPLE_REPLIES: Readonly<Record<string, readonly string[]>> = {
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
