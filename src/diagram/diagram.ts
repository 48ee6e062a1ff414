/** A point or the size of something, in pixels at the usual size. */
type Place = readonly [x: number, y: number];

/** A state in a diagram: a box. */
export interface DrawnState {
  readonly name: string;
  /** The words that people read. */
  readonly label: string;
  readonly stability: string;
  readonly health: string;
  readonly waiting: boolean;
  readonly initial: boolean;
  readonly ending?: string;
  readonly at: Place;
  readonly size: Place;
}

/** An arrow in a diagram, with the causes of the way that it shows. */
export interface DrawnArrow {
  readonly from: string;
  readonly to: string;
  /** The actions that lead along it. */
  readonly actions: readonly string[];
  readonly lines: readonly string[];
  /** The line from state to state, which ends at the last point. */
  readonly path: readonly Place[];
  /** Where the words are: the upper left corner, and the size. */
  readonly labelAt: Place;
  readonly labelSize: Place;
}

/** The state diagram of a type, with all its places: whoever draws it computes none. */
export interface Diagram {
  readonly type: string;
  /** Changes when something that the diagram shows has changed. */
  readonly hash: string;
  readonly size: Place;
  readonly states: readonly DrawnState[];
  readonly arrows: readonly DrawnArrow[];
}
