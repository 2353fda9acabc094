"""Whether a scenario is fair: many battles between captains, and what came of them."""
