import type { Scene } from '../draw/scenes.ts'

/** The metadata of a page of a fictional site. */
export interface Page {
  url: string
  site: string
  title: string
  description: string
  language: string
  image: { scene: Scene; description: string }
}

/** A topic of many posts within the last hours, so that its hashtag, page and first post trend. */
export interface Topic {
  page: Page
  /** The posts with their authors, in order; `{page}` is the URL of the page. */
  posts: readonly (readonly [by: string, text: string])[]
}

export const TOPICS: readonly Topic[] = [
  {
    page: {
      url: 'https://harbour-gazette.example/lantern-night',
      site: 'Harbour Gazette',
      title: 'Lantern night returns to the quay on Saturday',
      description:
        'After three years of rain the lanterns will be lit again. Bring your own, and something to eat for whoever stands beside you.',
      language: 'en',
      image: { scene: 'town', description: 'The houses on the quay, with light in most of their windows' },
    },
    posts: [
      ['theo', 'It is in the paper, so it is true: the lanterns are back. #LanternNight {page}'],
      ['mabel', 'I will bake until the flour is gone. #LanternNight'],
      ['otis', 'Free bell for every child with a lantern. #LanternNight {page}'],
      ['lucia', 'Tocamos a las nueve, junto al agua. #LanternNight {page}'],
      ['clement', 'Je prêterai des livres à la lueur des lanternes. #LanternNight {page}'],
      ['greta', 'Um neun läutet die Standuhr, zum ersten Mal seit 1952. #LanternNight {page}'],
      ['bruno', 'Levo o vinho e uma lanterna de papel. #LanternNight {page}'],
      ['sofie', 'Mijn boot vaart met twintig lichtjes. #LanternNight'],
      ['matteo', 'Porto un la, intonato. #LanternNight {page}'],
      ['haruka', '提灯を焼き物で作ってみた。重い。 #LanternNight'],
      ['amal', 'سأكتب أمنية على كل فانوس. #LanternNight {page}'],
      ['juno', 'Please aim the lanterns down and the eyes up. #LanternNight {page}'],
    ],
  },
  {
    page: {
      url: 'https://almanac-of-small-things.example/the-last-lighthouse-keeper',
      site: 'Almanac of Small Things',
      title: 'The last keeper of the north light',
      description: 'She has climbed the same hundred and forty steps for fifty years, and has counted them every time.',
      language: 'en',
      image: { scene: 'sea', description: 'A small sailing boat on calm water below a round sun' },
    },
    posts: [
      ['ingrid', 'Hun lærte meg å lese skyene. #lighthouse {page}'],
      ['wren', 'Read this with a cup of something warm. #lighthouse {page}'],
      ['eleni', 'Το φως της με έφερε σπίτι δυο φορές. #lighthouse {page}'],
      ['dmitri', 'Её маяк слышно и на коротких волнах. #lighthouse {page}'],
      ['zofia', 'Sto czterdzieści stopni, pięćdziesiąt lat: policzcie sami. #lighthouse {page}'],
      ['yael', 'גם אני סופרת מדרגות, אבל רק עד הגג. #lighthouse {page}'],
      ['aino', 'Luin tämän kahdesti. #lighthouse {page}'],
    ],
  },
]
