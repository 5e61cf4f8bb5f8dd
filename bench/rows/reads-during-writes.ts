import type { Row } from '../measure/row.ts'
import { FAVOURITES_PER_SECOND, POSTS_PER_SECOND, writeDuring } from '../setup/write-during.ts'
import { pages } from './pages.ts'

const PAGES = ['home timeline, 20', 'local public timeline, 20', 'account statuses, 20', 'notifications, 20']

/** Measures pages, which are repeated and cached, while many users post and favourite: each write invalidates some. */
export function readsDuringWrites(): Row[] {
  return pages()
    .filter(({ name }) => PAGES.includes(name))
    .map(({ name, measure }) => ({
      name: `${name}, while ${POSTS_PER_SECOND} posts and ${FAVOURITES_PER_SECOND} favourites are written per second`,
      goals: [{ of: 'share', atLeast: 0.6 }],
      limits: [{ title: 'while nothing is written', measure }],
      measure: async (stage) => writeDuring(stage, async () => measure(stage)),
    }))
}
