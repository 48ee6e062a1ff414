import type { ExplainedNode, Explanation } from '../../client/explain/explanation.js';
import type { Unmet, Wait } from '../../kernel/index.js';
import type { NamesForPeople } from '../names-for-people.js';

/** An explanation with the display names of states and events. */
export function explanationForPeople(explanation: Explanation, names: NamesForPeople): Explanation {
  return { ...explanation, entities: explanation.entities.map(nodeForPeople) };

  function nodeForPeople(node: ExplainedNode): ExplainedNode {
    const { entity } = node;
    if (node.kind === 'elsewhere') return node;
    if (node.kind === 'unread') {
      return { ...node, ...(node.state !== undefined && { state: names.stateOf(entity, node.state) }) };
    }
    return {
      ...node,
      state: names.stateOf(entity, node.state),
      events: node.events.map((each) => ({ ...each, event: names.eventOf(entity, each.event) })),
      waits: node.waits.map((wait) => waitForPeople(entity, wait)),
      below: node.below.map(nodeForPeople),
    };
  }

  function waitForPeople(entity: string, wait: Wait): Wait {
    switch (wait.kind) {
      case 'action': {
        const awaits = wait.awaits.map((each) => ({
          ...each,
          ...(each.event !== undefined && { event: names.eventOf(each.on, each.event) }),
        }));
        return { ...wait, awaits };
      }
      case 'subscription':
        return { ...wait, event: names.eventOf(entity, wait.event), unmet: wait.unmet.map(unmetForPeople) };
      case 'answer':
      case 'callback':
      case 'event':
      case 'timer':
        return { ...wait, event: names.eventOf(entity, wait.event) };
      default:
        return wait;
    }
  }

  function unmetForPeople(unmet: Unmet): Unmet {
    if (unmet.kind === 'either') {
      return { ...unmet, choices: unmet.choices.map((choice) => choice.map(unmetForPeople)) };
    }
    const successors = unmet.successors.map((each) => ({
      ...each,
      ...(each.state !== undefined && { state: names.stateOf(each.entity, each.state) }),
    }));
    return { ...unmet, successors };
  }
}
