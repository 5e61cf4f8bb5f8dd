import { circle, line, rect, shape, sky, stars, times, wave } from './canvas.ts'
import type { DrawScene } from './canvas.ts'

type Point = [x: number, y: number]
/** The corners of a kite, clockwise from the top. */
type Corners = [Point, Point, Point, Point]

/** Outdoor scenes. */
export const OUTDOORS = {
  hills: (canvas) => {
    const { random, palette, width, height, unit } = canvas
    const sun = circle(random.between(0, width), random.between(height * 0.1, height * 0.4), unit * 12, palette.accent)
    const hill = (n: number) =>
      wave(canvas, {
        top: height * (0.52 + n * 0.16),
        swing: height * (0.03 + random.next() * 0.07),
        fill: palette.land[n]!,
      })
    return sky(canvas) + sun + times(3, hill)
  },
  sea: (canvas) => {
    const { random, palette, width, height, unit } = canvas
    const x = width * (0.3 + random.next() * 0.3)
    const y = height * 0.66
    const sail = shape(
      [
        [x, y - unit * 30],
        [x, y - unit * 4],
        [x + unit * 17, y - unit * 4],
      ],
      '#fff',
    )
    const hull = shape(
      [
        [x - unit * 14, y],
        [x + unit * 20, y],
        [x + unit * 13, y + unit * 8],
        [x - unit * 8, y + unit * 8],
      ],
      palette.dark,
    )
    const water = (n: number) =>
      wave(canvas, { top: height * (0.56 + n * 0.15), swing: unit * 1.5, fill: palette.land[n]! })
    return (
      sky(canvas) +
      circle(width * 0.75, height * 0.3, unit * 11, palette.accent) +
      water(0) +
      sail +
      hull +
      water(1) +
      water(2)
    )
  },
  night: (canvas) => {
    const { palette, width, height, unit } = canvas
    const moon = circle(width * 0.7, height * 0.28, unit * 12, palette.accent)
    const shade = circle(width * 0.7 + unit * 5, height * 0.28 - unit * 3, unit * 10, palette.dark)
    const land = wave(canvas, { top: height * 0.82, swing: unit * 4, fill: '#111' })
    return rect(0, 0, width, height, palette.dark) + stars(canvas) + moon + shade + land
  },
  town: (canvas) => {
    const { random, palette, width, height, unit } = canvas
    const count = Math.ceil(width / (unit * 24))
    const house = (n: number) => {
      const [left, side] = [n * unit * 24, unit * 23]
      const top = height * (0.35 + random.next() * 0.25)
      const roof = shape(
        [
          [left, top],
          [left + side / 2, top - unit * 14],
          [left + side, top],
        ],
        palette.dark,
      )
      const panes = times(6, (pane) => {
        const [column, row] = [pane % 2, Math.floor(pane / 2)]
        const fill = random.next() < 0.6 ? palette.accent : palette.light
        return rect(left + unit * (4 + column * 10), top + unit * (5 + row * 13), unit * 5, unit * 7, fill)
      })
      return rect(left, top, side, height - top, palette.land[n % 3]!) + roof + panes
    }
    return sky(canvas) + times(count, house) + rect(0, height - unit * 6, width, unit * 6, '#fff')
  },
  umbrella: (canvas) => {
    const { random, palette, width, height, unit } = canvas
    const [x, y] = [width / 2, height * 0.5]
    const rain = times(50, () => {
      const [left, top] = [random.between(0, width), random.between(0, height)]
      return line(
        [
          [left, top],
          [left - unit, top + unit * 5],
        ],
        palette.land[1],
        unit * 0.5,
      )
    })
    const roof = `<path d="M${x - unit * 38} ${y}a${unit * 38} ${unit * 36} 0 0 1 ${unit * 76} 0z" fill="${palette.accent}"/>`
    const ribs = times(5, (n) =>
      line(
        [
          [x, y - unit * 36],
          [x + (n - 2) * unit * 17, y],
        ],
        palette.dark,
        unit * 0.8,
      ),
    )
    const stick = `<path d="M${x} ${y}v${unit * 30}a${unit * 5} ${unit * 5} 0 0 0 ${unit * 10} 0" fill="none" stroke="${palette.dark}" stroke-width="${unit * 2}"/>`
    return sky(canvas) + rain + stick + roof + ribs
  },
  kite: (canvas) => {
    const { palette, width, height, unit } = canvas
    const [x, y] = [width * 0.6, height * 0.34]
    const [top, right, bottom, left]: Corners = [
      [x, y - unit * 22],
      [x + unit * 15, y],
      [x, y + unit * 24],
      [x - unit * 15, y],
    ]
    const string = `<path d="M${bottom.join(' ')}Q${x - unit * 30} ${y + unit * 34} ${width * 0.2} ${height}" fill="none" stroke="${palette.dark}" stroke-width="${unit * 0.6}"/>`
    const halves = shape([top, right, bottom], palette.accent) + shape([top, left, bottom], palette.land[2])
    return (
      sky(canvas) +
      wave(canvas, { top: height * 0.88, swing: unit * 3, fill: palette.land[1] }) +
      string +
      halves +
      line([left, right], palette.dark, unit * 0.6)
    )
  },
} satisfies Record<string, DrawScene>
