import { createBatch } from '../../platform/create-batch.ts'
import type { Db } from '../../platform/db/connection.ts'

/** How many questions share a statement at most. */
const MAX_QUESTIONS = 16

/** What one request asks about a viewer: null for anonymous. */
interface Question<Viewer extends string | null, Subject> {
  viewerId: Viewer
  subjects: readonly Subject[]
}

/** One subject of a question. `place`: the position of the question in its batch. */
export interface AskedSubject<Viewer extends string | null, Subject> {
  place: number
  viewerId: Viewer
  subject: Subject
}

/** Returns a function that answers a question with its rows. The questions of concurrent requests share a statement. */
export function batchQuestions<Viewer extends string | null, Subject, Row extends { place: number }>(
  select: (db: Db, asked: readonly AskedSubject<Viewer, Subject>[]) => Promise<readonly Row[]>,
): (db: Db, question: Question<Viewer, Subject>) => Promise<Row[]> {
  return createBatch<Db, Question<Viewer, Subject>, Row[]>(
    async (db, questions) => {
      const asked = questions.flatMap(({ viewerId, subjects }, place) =>
        subjects.map((subject) => ({ place, viewerId, subject })),
      )
      const answers: Row[][] = questions.map(() => [])
      for (const row of await select(db, asked)) answers[row.place]!.push(row)
      return answers
    },
    { maxItems: MAX_QUESTIONS },
  )
}
