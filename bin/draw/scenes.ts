import type { DrawScene } from './canvas.ts'
import { INDOORS } from './indoors.ts'
import { OUTDOORS } from './outdoors.ts'

export type Scene = keyof typeof OUTDOORS | keyof typeof INDOORS

/** All scenes by name. */
export const SCENES: Readonly<Record<Scene, DrawScene>> = { ...OUTDOORS, ...INDOORS }

export function isScene(name: string): name is Scene {
  return Object.hasOwn(SCENES, name)
}
